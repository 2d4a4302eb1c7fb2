import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type DueQuery, DueSweeper } from '../../../src/platform/commands/due-sweeper.js';
import { START } from '../../../src/platform/kernel/position.js';
import type { UserItem } from '../../../src/platform/read-models/user-list.js';

Logger.overrideLogger(false);

interface Item extends UserItem {
  readonly name: string;
  readonly sendAt: number;
}

/** Delivers items from a list, the way documents are asked. */
class Delivering extends DueSweeper<Item> {
  readonly delivered: string[] = [];
  /** Users whose items are delivered at this moment, each as often as items. */
  readonly now: number[] = [];
  most = 0;
  onDelivery: (item: Item) => void = () => {};

  constructor(readonly items: Item[]) {
    super({ name: 'Delivering', item: 'item', list: {} as never, readModels: {} as never });
  }

  protected override async next({ whose, limit }: DueQuery): Promise<readonly Item[]> {
    const { userId, $nor } = whose as { userId?: number; $nor?: readonly [{ userId: { $in: readonly number[] } }] };
    const others = $nor?.[0].userId.$in ?? [];
    return this.items
      .filter((item) => (userId === undefined || item.userId === userId) && !others.includes(item.userId))
      .sort((a, b) => a.sendAt - b.sendAt)
      .slice(0, limit);
  }

  protected async deliver(item: Item): Promise<void> {
    expect(this.now).not.toContain(item.userId);
    this.now.push(item.userId);
    this.most = Math.max(this.most, this.now.length);
    await new Promise((resolve) => setImmediate(resolve));
    this.now.splice(this.now.indexOf(item.userId), 1);
    this.onDelivery(item);
    if (item.name.includes('broken')) throw new Error('it is broken');
    this.items.splice(this.items.indexOf(item), 1);
    this.delivered.push(item.name);
  }
}

const due = (userId: number, name: string, count = 1, sendAt = 1000): Item[] =>
  Array.from({ length: count }, (_, index) => ({
    _id: index,
    userId,
    position: START,
    name: `${name}${count > 1 ? index : ''}`,
    sendAt,
  }));

describe('items whose time has come', () => {
  it('are delivered in their order, and those of the future are not', async () => {
    const future = due(1, 'future', 1, Date.now() + 60_000);
    const sweeper = new Delivering([...due(1, 'b', 1, 2000), ...due(1, 'a', 1, 1000), ...future]);
    await sweeper.sweep();
    expect(sweeper.delivered).toEqual(['a', 'b']);
    expect(sweeper.items).toEqual(future);
  });

  it('of one user delay nobody else’s for longer than a turn', async () => {
    const sweeper = new Delivering([...due(1, 'bob', 1000), ...due(2, 'ann', 1, 2000)]);
    await sweeper.sweep();
    expect(sweeper.delivered).toHaveLength(1001);
    expect(sweeper.delivered.indexOf('ann')).toBeLessThan(20);
  });

  it('of many users are delivered a few at once, each user’s one after another', async () => {
    const sweeper = new Delivering(Array.from({ length: 40 }, (_, user) => due(user + 1, `${user}/`, 25)).flat());
    await sweeper.sweep();
    expect([sweeper.delivered.length, sweeper.most]).toEqual([40 * 25, 8]);
  });

  it('are found while others are delivered', async () => {
    const sweeper = new Delivering(due(1, 'bob', 100_000));
    sweeper.onDelivery = () => {
      if (sweeper.delivered.length === 50) sweeper.items.push(...due(2, 'ann', 1, 2000));
      if (sweeper.delivered.includes('ann')) sweeper.items.length = 0;
    };
    await sweeper.sweep();
    expect(sweeper.delivered).toContain('ann');
  });

  it('that cannot be delivered hold up nobody else, and stay due', async () => {
    const broken = due(1, 'broken', 300);
    const sweeper = new Delivering([...broken, ...due(2, 'ann', 1, 2000)]);
    await sweeper.sweep();
    expect([sweeper.delivered, sweeper.items]).toEqual([['ann'], broken]);
  });

  it('are looked for again if they could not be found', async () => {
    const sweeper = new Delivering(due(1, 'a'));
    const { items } = sweeper;
    Object.defineProperty(sweeper, 'items', {
      configurable: true,
      get: () => {
        throw new Error('the documents are away');
      },
    });
    await expect(sweeper.sweep()).rejects.toThrow('away');
    Object.defineProperty(sweeper, 'items', { value: items });
    await sweeper.sweep();
    expect(sweeper.delivered).toEqual(['a']);
  });
});
