import { Logger } from '@nestjs/common';
import { DomainError } from '../kernel/deciding.js';
import type { ReadModels } from '../read-models/read-models.js';
import type { UserItem, UserList } from '../read-models/user-list.js';
import { Sweeper } from './sweeper.js';

const EVERY_MS = 1000;
/** Items that one question finds. */
const MOST_FOUND = 100;
/** Questions after one another for users whose items are due. */
const MOST_QUESTIONS = 10;
/** Users whose items are delivered at the same time. */
const USERS_AT_ONCE = 8;
/** Items of one user that are delivered before it is another user's turn. */
const TURN = 10;

/** An item that the server works on at a time of its own. */
interface Due extends UserItem {
  /** Milliseconds since 1970. */
  readonly sendAt: number;
}

/** Names the items that are asked for. */
export interface DueQuery {
  readonly limit: number;
  /** Part of a filter on the items' `userId`. */
  readonly whose: Readonly<Record<string, unknown>>;
}

interface DueList<Item extends UserItem> {
  /** Name in the log. */
  readonly name: string;
  /** What is sent: `reminder`. */
  readonly item: string;
  readonly list: UserList<Item>;
  /** Part of a filter: the items of the list that wait. */
  readonly waiting?: Readonly<Record<string, unknown>>;
  readonly readModels: Pick<ReadModels, 'collection' | 'onApplied'>;
}

/**
 * Delivers the items of a list whose time has come. Every process that answers clients looks for them; the first one to
 * record that it begins delivers an item. Users take turns, so that one with many items delays nobody else's.
 */
export abstract class DueSweeper<Item extends Due> extends Sweeper {
  private readonly log: Logger;
  /** The list may have changed since its next item was looked up. */
  private hasChanged = true;
  private nextDue = 0;

  protected constructor(private readonly of: DueList<Item>) {
    super({ name: of.name, failure: `${of.item}s could not be looked for`, every: EVERY_MS });
    this.log = new Logger(of.name);
  }

  override onApplicationBootstrap(): void {
    this.of.readModels.onApplied(this.of.list, () => {
      this.hasChanged = true;
    });
    super.onApplicationBootstrap();
  }

  /** Finds the items with the earliest times, in the order of these. */
  protected next({ whose, limit }: DueQuery): Promise<readonly Item[]> {
    const { readModels, list, waiting } = this.of;
    return readModels.collection<Item>(list, list.items).find({ ...whose, ...waiting }, { sort: { sendAt: 1 }, limit });
  }

  /** Delivers an item, unless another process does. An item that is still there is due again at the next run. */
  protected abstract deliver(item: Item): Promise<void>;

  async sweep(): Promise<void> {
    this.hasChanged = false;
    this.nextDue = 0;
    const [first] = await this.next({ whose: {}, limit: 1 });
    if (first && first.sendAt <= Date.now()) await this.deliverInTurns();
    // An item that is due stays so until it is delivered: the next run looks again.
    this.nextDue = first?.sendAt ?? Number.POSITIVE_INFINITY;
  }

  private async deliverInTurns(): Promise<void> {
    const waiting: number[] = [];
    const turns = new Map<number, Promise<void>>();
    const begin = (userId: number): void => {
      const turn = this.takeTurn(userId).then((isMore) => {
        if (isMore) waiting.push(userId);
      });
      turns.set(
        userId,
        turn.finally(() => turns.delete(userId)),
      );
    };
    let lookAt = 0;
    try {
      do {
        // Others' items become due meanwhile.
        if (performance.now() >= lookAt) {
          waiting.push(...(await this.usersWithDueItems([...waiting, ...turns.keys()])));
          lookAt = performance.now() + EVERY_MS;
        }
        for (const userId of waiting.splice(0, USERS_AT_ONCE - turns.size)) begin(userId);
        if (turns.size > 0) await Promise.race(turns.values());
      } while (turns.size + waiting.length > 0 && !this.isOver);
    } finally {
      await Promise.allSettled(turns.values());
    }
  }

  private async usersWithDueItems(except: readonly number[]): Promise<ReadonlySet<number>> {
    const users = new Set<number>();
    for (let question = 0; question < MOST_QUESTIONS; question++) {
      const others = [...except, ...users];
      const whose = others.length === 0 ? {} : { $nor: [{ userId: { $in: others } }] };
      const due = this.dueAmong(await this.next({ whose, limit: MOST_FOUND }));
      for (const { userId } of due) users.add(userId);
      if (due.length < MOST_FOUND) break;
    }
    return users;
  }

  /** Delivers some of a user's items. @returns whether more are due, and can be delivered now */
  private async takeTurn(userId: number): Promise<boolean> {
    const due = this.dueAmong(await this.next({ whose: { userId }, limit: TURN }));
    let failures = 0;
    for (const item of due) {
      if (this.isOver) return false;
      await this.deliver(item).catch((error: unknown) => {
        failures += 1;
        this.log.warn(`a ${this.of.item} could not be sent yet: ${String(error)}`);
      });
    }
    return failures === 0 && due.length === TURN;
  }

  private dueAmong(items: readonly Item[]): readonly Item[] {
    const now = Date.now();
    return items.filter(({ sendAt }) => sendAt <= now);
  }

  protected override isIdle(): boolean {
    return !this.hasChanged && Date.now() < this.nextDue;
  }

  /** False if the command is refused: the item has been changed, or another process delivers it. */
  protected async isBegun(begin: () => Promise<unknown>): Promise<boolean> {
    try {
      await begin();
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}
