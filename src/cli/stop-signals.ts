import { constants } from 'node:os';

/** `npm start` hands on the Ctrl+C that the terminal has sent here already: the same key, not a second one. */
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

/** Not by an exit: that ends threads within calls of SQLite's binding, which aborts the process then. */
function endBy(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container is not ended by a signal that it does not listen to.
  process.exit(128 + constants.signals[signal]);
}

/** @throws Error with the reason, where the process cannot go on: whoever started it starts it again */
export async function stoppedOrLost(stopped: Promise<unknown>, lost: Promise<string>): Promise<void> {
  const why = await Promise.race([stopped.then(() => null), lost]);
  if (why !== null) throw new Error(`${why}; this process ends: start it again, and it goes by the log that is there`);
}
