import { expect } from '@jest/globals';
import type { EventQueue } from '../requests/event-queue.js';
import { ClientState } from './client-state.js';

/** Checks queues of a user: their state and events together equal the state of a new registration. */
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
