import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { withScratch } from '../scratch.js';

const HISTORY = fileURLToPath(new URL('../../history/', import.meta.url));

/** The log that the newest version recorded, with events of nearly every type. */
export function recordedEvents(): Promise<readonly Recorded[]> {
  const newest = readdirSync(HISTORY, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort()
    .at(-1);
  const read = (file: string): string => readFileSync(join(HISTORY, newest ?? '', file), 'utf8');
  const keys: Record<string, string> = JSON.parse(read('keys.json'));
  const stored = read('log.jsonl')
    .trimEnd()
    .split('\n')
    .map((line): StoredEvent => JSON.parse(line));
  return withScratch(async (directory) => {
    const contentKeys = await SqliteContentKeys.open(directory);
    try {
      for (const [id, key] of Object.entries(keys)) await contentKeys.putIfAbsent(id, Buffer.from(key, 'base64'));
      return await new EventCodec(contentKeys, eventRegistry).decode(stored);
    } finally {
      await contentKeys.close();
    }
  });
}
