import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

const PATIENCE_MS = 45_000;
const STALL_MS = 15_000;

/**
 * SecantusDB in Python now and then goes on for ever with a write, and holds up all others: seen when clients had died in
 * the middle of theirs.
 *
 * @returns the way to stop watching, which tells whether it `hung` until the end, `stalled` for so long that specs may have
 * given up, or was `well`
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
