import { eventRegistry } from '../../events/event-registry.js';
import type { ContentKey, ContentKeys } from '../../platform/content-keys/content-keys.js';
import { type Sealed, unseal } from '../../platform/content-keys/seal.js';
import { endsKeys } from '../../platform/kernel/content-duties.js';
import type { Position } from '../../platform/kernel/position.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { firstSealedIn } from '../cli/copy-keys.js';

/** Keys of events are named by their ids. Others are of a month, and end with their time. */
const OF_EVENT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Events that are read at once. */
const PAGE = 1000;

const NO_KEYS = { getMany: async () => new Map<string, never>() };
const codec = new EventCodec(NO_KEYS, eventRegistry);

export interface KeysFound {
  /** A key that does not open what it sealed; null: there is none. */
  readonly fault: string | null;
  /** Keys that are not there, with the event that needs each. */
  readonly missing: readonly (readonly [keyId: string, event: string])[];
}

interface Needed {
  readonly sealed: Sealed;
  readonly event: string;
}

/** Looks for the key of all content of the events, and opens something with each. */
export async function keysOf(events: readonly StoredEvent[], keys: Pick<ContentKeys, 'getMany'>): Promise<KeysFound> {
  const needed = new Map<string, Needed>();
  for (const event of events)
    for (const [keyId, sealed] of firstSealedIn([event]))
      if (OF_EVENT.test(keyId) && !needed.has(keyId))
        needed.set(keyId, { sealed, event: `${event.type} ${event.id} (${event.stream}@${event.revision})` });
  const found = needed.size === 0 ? new Map<string, ContentKey>() : await keys.getMany([...needed.keys()]);
  const missing: [string, string][] = [];
  for (const [keyId, { sealed, event }] of needed) {
    const key = found.get(keyId);
    if (!key) missing.push([keyId, event]);
    else if (!opens(sealed, key))
      return { fault: `the key ${keyId} does not open ${event}: it is changed`, missing: [] };
  }
  return { fault: null, missing };
}

function opens(sealed: Sealed, key: ContentKey): boolean {
  try {
    unseal(sealed, key);
    return true;
  } catch {
    // Of another length, or another key.
    return false;
  }
}

/** The keys whose end the events tell. */
export function endedKeys(events: readonly StoredEvent[]): readonly string[] {
  const ending = events.filter(({ type }) => {
    const definition = eventRegistry.get(type);
    return definition !== undefined && endsKeys(definition);
  });
  return codec.endedBy(codec.decodeWithoutContent(ending)).keyIds;
}

/** The keys whose end is told behind the position. */
export async function endedKeysAfter(position: Position, log: Pick<EventStore, 'readAll'>): Promise<readonly string[]> {
  const ended: string[] = [];
  for (let after = position; ; ) {
    const page = await log.readAll({ after, limit: PAGE });
    ended.push(...endedKeys(page.events));
    after = page.position;
    if (page.caughtUp) return ended;
  }
}
