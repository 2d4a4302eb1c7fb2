import { constants } from 'node:os';
import { complain, EXIT, ToldFailure } from './failure.js';

/** Time between the terminal's Ctrl+C and the copy of it that `npm start` sends: both are the same key. */
const SAME_KEY_MS = 500;

/** Milliseconds that a stop may take. Then the process ends, whatever holds it up. */
export const LONGEST_STOP_MS = 15_000;

/**
 * Resolves at the first SIGINT or SIGTERM; a later one ends the process at once.
 * @param over aborts when nobody waits for them any more: they end the process as usual then
 */
export function stopAsked(over?: AbortSignal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const asked = () => {
        const now = performance.now();
        if (askedAt !== null && now - askedAt > SAME_KEY_MS) endBy(signal);
        askedAt ??= now;
        resolve(signal);
      };
      process.on(signal, asked);
      over?.addEventListener('abort', () => process.off(signal, asked), { once: true });
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

/**
 * Runs the start of a process. A signal meanwhile ends the process at once: it has accepted nothing yet. Without a
 * listener, the first process of a container would ignore the signal.
 */
export async function startUnlessStopped<T>(stopped: Promise<NodeJS.Signals>, start: () => Promise<T>): Promise<T> {
  let isStarting = true;
  void stopped.then((signal) => {
    if (!isStarting) return;
    complain(process.stderr, 'stopped before the start was done');
    endBy(signal);
  });
  try {
    return await start();
  } finally {
    isStarting = false;
  }
}

/**
 * Ends the process with SIGKILL unless it has ended by itself by then. The log has everything that was acknowledged, as
 * after any kill. @param time milliseconds
 */
export function endWithin(time = LONGEST_STOP_MS): void {
  setTimeout(() => {
    complain(
      process.stderr,
      `the stop was not done after ${time / 1000} s: ending. Nothing that was acknowledged is lost`,
    );
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container cannot kill itself.
    process.exit(EXIT.failed);
  }, time);
}

/**
 * Prints the reason at once if the process cannot go on: its stop may be held up until it is killed.
 * @throws ToldFailure: its supervisor starts it again
 */
export async function stoppedOrLost(stopped: Promise<unknown>, lost: Promise<string>): Promise<void> {
  const why = await Promise.race([stopped.then(() => null), lost]);
  if (why === null) return;
  complain(process.stderr, `${why}; this process ends: start it again, and it goes by the log that is there`);
  throw new ToldFailure();
}
