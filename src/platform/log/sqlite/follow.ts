import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../../kernel/position.js';
import type { Batch } from '../event-store.js';
import type { CommitSignal } from './commit-signal.js';

/** Follows the log: reads on while there are events, then waits for commits. */
export async function* follow(
  read: (after: Position) => Batch,
  commits: CommitSignal,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, void> {
  let position = after;
  let isFirst = true;
  commits.followers += 1;
  try {
    while (!signal.aborted) {
      // The turn is read first: a commit in between is read twice rather than never.
      const turn = commits.turn;
      const batch = read(position);
      if (isFirst || batch.position > position) {
        isFirst = false;
        position = batch.position;
        yield batch;
      }
      if (batch.caughtUp) await commits.after(turn, signal);
      // Catching up must not block the thread.
      else await nextTurn();
    }
  } finally {
    commits.followers -= 1;
  }
}
