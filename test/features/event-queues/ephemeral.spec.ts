import { describe, expect, it } from '@jest/globals';
import type { EventQueueDocument } from '../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../src/directory/directory.js';
import { EphemeralBus } from '../../../src/features/event-queues/services/ephemeral-bus.js';
import { type EphemeralEvent, EphemeralTail } from '../../../src/features/event-queues/services/ephemeral-tail.js';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { InProcessBus } from '../../../src/platform/bus/in-process/in-process-bus.js';
import { addAccount } from '../../support/servers/http-app.js';

const queueOf = (userId: number, changes: Partial<EventQueueDocument> = {}): EventQueueDocument => ({
  _id: `queue ${userId}`,
  userId,
  eventTypes: null,
  narrow: { required: [], excluded: [] },
  allPublicChannels: false,
  applyMarkdown: false,
  clientGravatar: true,
  slimPresence: false,
  includeSubscribers: false,
  clientCapabilities: {},
  statePositions: {},
  startsAfter: 0,
  registeredAt: 0,
  position: 0,
  ...changes,
});

const typing = (name: string, userIds: readonly number[] = [1, 2]): EphemeralEvent => ({
  type: 'typing',
  audience: { userIds },
  forms: [{ needs: [], body: { name } }],
});

/** Makes the parts of one process, with a clock that the test sets. */
function processOn(bus: InProcessBus) {
  const directory = new Directory();
  for (const _ of [1, 2]) addAccount(directory);
  const waiting = new WaitingPolls(directory);
  const clock = { now: 1_000_000 };
  const tail = new EphemeralTail(directory, waiting, () => clock.now);
  const ephemeral = new EphemeralBus(bus, tail);
  const nudged: string[] = [];
  const wait = (queue: EventQueueDocument): void =>
    waiting.add({
      queue,
      passes: () => true,
      wake: () => void nudged.push(`${queue._id}: let go`),
      nudge: () => void nudged.push(queue._id),
    });
  const take = (queue: EventQueueDocument, most = Number.POSITIVE_INFINITY) => {
    const taken: unknown[] = [];
    tail.give(queue, ({ name }) => taken.length < most && taken.push(name) > 0);
    return taken;
  };
  return { clock, tail, ephemeral, waiting, nudged, wait, take };
}

describe('ephemeral events', () => {
  it('reach waiting and later polls, in every process of a bus', async () => {
    const bus = new InProcessBus();
    const [one, other] = [processOn(bus), processOn(bus)];
    other.wait(queueOf(1));
    other.wait(queueOf(2));
    await one.ephemeral.publish(typing('a', [1]));
    expect(other.nudged).toEqual(['queue 1']);
    expect(other.waiting.size).toBe(1);
    expect(other.take(queueOf(1))).toEqual(['a']);
    expect(one.take(queueOf(1))).toEqual(['a']);
    expect(one.take(queueOf(2))).toEqual([]);
  });

  it('are delivered once to each queue of a user', async () => {
    const { ephemeral, take } = processOn(new InProcessBus());
    await ephemeral.publish(typing('a'));
    expect(take(queueOf(1))).toEqual(['a']);
    expect(take(queueOf(1))).toEqual([]);
    await ephemeral.publish(typing('b'));
    expect(take(queueOf(1))).toEqual(['b']);
    expect(take(queueOf(1, { _id: 'second' }))).toEqual(['a', 'b']);
    expect(take(queueOf(2))).toEqual(['a', 'b']);
  });

  it('wait for the next poll if the answer has no place for them', async () => {
    const { ephemeral, take } = processOn(new InProcessBus());
    for (const name of ['a', 'b', 'c']) await ephemeral.publish(typing(name));
    expect(take(queueOf(1), 0)).toEqual([]);
    expect(take(queueOf(1), 2)).toEqual(['a', 'b']);
    expect(take(queueOf(1), 0)).toEqual([]);
    expect(take(queueOf(1))).toEqual(['c']);
    expect(take(queueOf(1))).toEqual([]);
  });

  it('are delivered only to queues that were registered before them', async () => {
    const { ephemeral, take, clock } = processOn(new InProcessBus());
    await ephemeral.publish(typing('before'));
    const later = queueOf(1, { registeredAt: ++clock.now });
    await ephemeral.publish(typing('after'));
    expect(take(later)).toEqual(['after']);
  });

  it('are forgotten after a minute, and only the newest thousand are kept', async () => {
    const { ephemeral, take, clock } = processOn(new InProcessBus());
    await ephemeral.publish(typing('old'));
    clock.now += 50_000;
    await ephemeral.publish(typing('new'));
    clock.now += 20_000;
    expect(take(queueOf(1))).toEqual(['new']);
    clock.now += 60_000;
    expect(take(queueOf(2))).toEqual([]);
    await ephemeral.publish(typing('newest'));
    expect(take(queueOf(1))).toEqual(['newest']);
    for (let number = 1; number <= 1200; number++) await ephemeral.publish(typing(`${number}`));
    const names = take(queueOf(1));
    expect([names.length, names[0], names.at(-1)]).toEqual([1000, '201', '1200']);
    expect(take(queueOf(1))).toEqual([]);
  });

  it('are delivered to queues of their type, in the first form that the client knows', async () => {
    const { ephemeral, take, nudged, wait } = processOn(new InProcessBus());
    const forms = [
      { needs: ['new', 'newer'], body: { name: 'newest' } },
      { needs: ['new'], body: { name: 'new' } },
    ];
    const knowing = (_id: string, ...known: string[]) =>
      queueOf(1, { _id, clientCapabilities: Object.fromEntries(known.map((name) => [name, true])) });
    const unwanting = queueOf(1, { _id: 'unwanting', eventTypes: ['message'], clientCapabilities: { new: true } });
    for (const queue of [knowing('none'), knowing('new', 'new'), unwanting]) wait(queue);
    await ephemeral.publish({ ...typing(''), forms });
    expect(nudged).toEqual(['new']);
    expect(take(knowing('none'))).toEqual([]);
    expect(take(knowing('new', 'new'))).toEqual(['new']);
    expect(take(knowing('both', 'new', 'newer'))).toEqual(['newest']);
    expect(take(unwanting)).toEqual([]);
  });

  it('are delivered to the audience of their rule at the time they arrive', async () => {
    const { ephemeral, take, nudged, wait } = processOn(new InProcessBus());
    wait(queueOf(1));
    wait(queueOf(2));
    await ephemeral.publish({ ...typing('a'), audience: { everyone: true, except: { userIds: [1] } } });
    expect(nudged).toEqual(['queue 2']);
    expect(take(queueOf(1))).toEqual([]);
    expect(take(queueOf(2))).toEqual(['a']);
    await ephemeral.publish({ ...typing('b'), audience: { roles: [600] } });
    expect(take(queueOf(2))).toEqual([]);
  });

  it('are not made from malformed bus messages of another version', async () => {
    const bus = new InProcessBus();
    const { take } = processOn(bus);
    for (const event of [7, '7', 'null', '{}']) await bus.publish('ephemeral-events', { event });
    expect(take(queueOf(1))).toEqual([]);
  });
});
