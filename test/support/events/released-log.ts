import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/transpile.js';
import type { EngineSettings } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';

// Recorded logs have no keys of months. Until the month ends, they count as lost.
const LACKS_KEYS_UP_TO: Readonly<Record<string, string>> = { '0.6.0': '01a21b35-1808-72d9-a5f8-20cfd3ab203f' };

/**
 * Appends the log that a released version has written, with its keys, to empty engines.
 * Returns the settings that a server needs to start on it.
 */
export async function appendReleasedLog(settings: EngineSettings, version: string): Promise<Record<string, string>> {
  const read = (file: string): string => readFileSync(join(ROOT, 'test/history', version, file), 'utf8');
  const engines = await openEngines(settings);
  try {
    for (const [id, key] of Object.entries<string>(JSON.parse(read('keys.json'))))
      await engines.contentKeys.putIfAbsent(id, Buffer.from(key, 'base64'));
    for (const line of read('log.jsonl').trimEnd().split('\n')) {
      const { stream, revision: _, position: __, ...event }: StoredEvent = JSON.parse(line);
      await engines.eventStore.append(stream, [event], 'any');
    }
  } finally {
    await engines.close();
  }
  const lacked = LACKS_KEYS_UP_TO[version];
  return lacked === undefined ? {} : { ANNALS_ACCEPT_MISSING_KEYS: lacked };
}
