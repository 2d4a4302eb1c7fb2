import { expect } from '@jest/globals';
import { ClientState } from './client-state.js';
import type { EventQueue } from './event-queue.js';

/** Reads queues of one user to their ends: state and events together are the state of a queue registered now. */
export async function expectFreshState(
  userId: number,
  queues: readonly EventQueue[],
  fresh: Promise<EventQueue>,
): Promise<void> {
  const expected = new ClientState((await fresh).state, userId).comparable;
  for (const queue of queues) {
    const client = new ClientState(queue.state, userId);
    for (const event of await queue.drain()) client.apply(event);
    expect(client.comparable).toEqual(expected);
  }
}
