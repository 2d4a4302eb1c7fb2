import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

const PATIENCE_MS = 45_000;
const STALL_MS = 15_000;

/**
 * Watches SecantusDB in Python by a write a second. It sometimes never finishes a write and blocks all others: seen after
 * clients were killed in the middle of a write.
 *
 * @returns a function that stops the watch, and tells whether the server `hung` to the end, `stalled` for longer than specs
 * wait, or was `well`
 */
export function watchStandIn(url: string, onHang: () => void): () => Promise<'hung' | 'stalled' | 'well'> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: PATIENCE_MS, socketTimeoutMS: PATIENCE_MS });
  const beats = client.db('watch').collection<{ readonly _id: number; readonly at: number }>('beats');
  let hangs = false;
  let longestMs = 0;
  let askedAt = performance.now();
  let stopped = false;
  const watching = (async () => {
    while (!stopped && !hangs) {
      askedAt = performance.now();
      try {
        await beats.replaceOne({ _id: 1 }, { at: Date.now() }, { upsert: true });
      } catch (error) {
        if (stopped) return;
        console.error('SecantusDB does not answer:', error);
        hangs = true;
        onHang();
      }
      longestMs = Math.max(longestMs, performance.now() - askedAt);
      await pause(1000);
    }
  })();
  return async () => {
    stopped = true;
    longestMs = Math.max(longestMs, performance.now() - askedAt);
    await client.close(true);
    await watching;
    if (hangs) return 'hung';
    return longestMs > STALL_MS ? 'stalled' : 'well';
  };
}
