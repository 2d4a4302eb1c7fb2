import { constants } from 'node:os';

/** Time between the terminal's Ctrl+C and the copy of it that `npm start` sends: both are the same key. */
const SAME_KEY_MS = 500;

/** Resolves at the first SIGINT or SIGTERM; a later one ends the process at once. */
export function stopAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const now = performance.now();
        if (askedAt !== null && now - askedAt > SAME_KEY_MS) endBy(signal);
        askedAt ??= now;
        resolve(signal);
      });
    }
  });
}

/**
 * Ends the process by the signal. An exit would end threads within calls of SQLite's binding, which aborts the process.
 */
function endBy(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // A signal without a listener does not end the first process of a container.
  process.exit(128 + constants.signals[signal]);
}

/** @throws Error with the reason if the process cannot go on: its supervisor starts it again */
export async function stoppedOrLost(stopped: Promise<unknown>, lost: Promise<string>): Promise<void> {
  const why = await Promise.race([stopped.then(() => null), lost]);
  if (why !== null) throw new Error(`${why}; this process ends: start it again, and it goes by the log that is there`);
}
