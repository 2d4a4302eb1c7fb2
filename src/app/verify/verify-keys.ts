import { setTimeout as pause } from 'node:timers/promises';
import { eventRegistry } from '../../events/event-registry.js';
import { type ContentKey, type ContentKeys, KEY_BYTES } from '../../platform/content-keys/content-keys.js';
import { eventKeyOf, keyTagOf, type Sealed, unsealFor } from '../../platform/content-keys/seal.js';
import { endsKeys } from '../../platform/kernel/content-duties.js';
import type { Position } from '../../platform/kernel/position.js';
import { EventCodec, NO_KEYS } from '../../platform/log/event-codec.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { mustBeThere } from '../../platform/log/key-ends.js';

/** Events that are read at once. */
const PAGE = 1000;
/** Milliseconds for which a server may not have destroyed a key yet, and between two looks. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 200;

/** Reads all of an event but its content. */
export const keylessCodec = new EventCodec(NO_KEYS, eventRegistry);

/** A key that is not there, with the event that needs it and its position. */
export type MissingKey = readonly [keyId: string, event: string, position: Position];

export interface KeysFound {
  /** A key that cannot be the one, or does not open what it sealed; null: there is none. */
  readonly fault: string | null;
  readonly missing: readonly MissingKey[];
}

/** The first content that a key seals. */
export interface SealedThere {
  readonly sealed: Sealed;
  /** The sealed event. */
  readonly event: () => Named;
}

/** What an event is named by. */
type Named = Pick<StoredEvent, 'type' | 'id' | 'stream' | 'revision' | 'position'>;

/**
 * Looks for the keys of content.
 * @param opens whether something is opened with each key that is there, those of a month too; it takes half as long again
 */
export async function keysOf(
  content: ReadonlyMap<string, SealedThere>,
  keys: Pick<ContentKeys, 'getMany' | 'missing'>,
  opens: boolean,
): Promise<KeysFound> {
  const suspects = new Set(opens ? content.keys() : await keys.missing([...content.keys()].filter(mustBeThere)));
  if (suspects.size === 0) return { fault: null, missing: [] };
  const found = await keys.getMany([...suspects]);
  const missing: MissingKey[] = [];
  for (const [keyId, { sealed, event }] of content) {
    if (!suspects.has(keyId)) continue;
    const key = found.get(keyId);
    if (!key && mustBeThere(keyId)) missing.push([keyId, nameOf(event()), event().position]);
    else if (key && (key.length !== KEY_BYTES || (opens && !isOpenedBy(key, sealed, event))))
      return { fault: `the key ${keyId} does not open ${nameOf(event())}: it is changed`, missing: [] };
  }
  return { fault: null, missing };
}

/** An event as faults name it. */
export const nameOf = ({
  type,
  id,
  stream,
  revision,
}: Pick<StoredEvent, 'type' | 'id' | 'stream' | 'revision'>): string => `${type} ${id} (${stream}@${revision})`;

function isOpenedBy(key: ContentKey, sealed: Sealed, event: () => Named): boolean {
  try {
    const id = sealed.keyTag === undefined ? '' : event().id;
    unsealFor(id, sealed, key);
    return sealed.keyTag === undefined || sealed.keyTag === keyTagOf(eventKeyOf(key, id));
  } catch {
    return false;
  }
}

/** The keys whose end the events tell. */
export const endedKeys = (events: readonly StoredEvent[]): readonly string[] => keylessCodec.keysEndedBy(events);

/** The types whose events end keys. */
const ENDING = [...eventRegistry].flatMap(([type, definition]) => (endsKeys(definition) ? [type] : []));

/** Tells whether events of the type end keys. */
export function tellsEnd(type: string): boolean {
  const definition = eventRegistry.get(type);
  return definition !== undefined && endsKeys(definition);
}

/**
 * The keys that are there although their end is told. A server destroys them after the event, and is given time.
 */
export async function keysLeft(
  ended: readonly string[],
  keys: Pick<ContentKeys, 'missing'>,
  patience = PATIENCE_MS,
): Promise<readonly string[]> {
  let left: string[] = [];
  for (let from = 0; from < ended.length; from += PAGE) {
    const some = ended.slice(from, from + PAGE);
    const missing = new Set(await keys.missing(some));
    left.push(...some.filter((keyId) => !missing.has(keyId)));
  }
  for (const until = performance.now() + patience; left.length > 0 && performance.now() < until; ) {
    await pause(LOOK_EVERY_MS);
    const missing = new Set(await keys.missing(left));
    left = left.filter((keyId) => !missing.has(keyId));
  }
  return left;
}

/** The keys whose end is told behind the position. */
export async function endedKeysAfter(position: Position, log: Pick<EventStore, 'readAll'>): Promise<readonly string[]> {
  const ended: string[] = [];
  for (let after = position; ; ) {
    const page = await log.readAll({ after, limit: PAGE, filter: { types: ENDING } });
    ended.push(...endedKeys(page.events));
    after = page.position;
    if (page.caughtUp) return ended;
  }
}
