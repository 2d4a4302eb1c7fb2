import type { ContentKey, ContentKeys } from '../../platform/content-keys/content-keys.js';
import type { Sealed } from '../../platform/content-keys/seal.js';
import type { Json } from '../../platform/kernel/json.js';
import { type StoredEvent, UnreadableEvent } from '../../platform/log/event-store.js';
import { CopyRefused } from './failure.js';

/**
 * Lists the keys that the events' content and addresses are sealed with. Finds them by the shape of sealed content, not by
 * the field of today's definitions: the events may be of any version, and of types that this program does not know.
 */
export const keyIdsIn = (events: readonly StoredEvent[]): string[] => [...firstSealedIn(events).keys()];

/** Content or an address, and the event that it is in. */
interface FirstSealed {
  readonly sealed: Sealed;
  readonly event: StoredEvent;
}

/** The first content or address that each key seals. An event that cannot be read has none. */
export function firstSealedIn(events: readonly StoredEvent[]): ReadonlyMap<string, FirstSealed> {
  const found = new Map<string, FirstSealed>();
  const collect = (value: Json | undefined, event: StoredEvent): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!isSealed(value)) for (const inner of Object.values(value)) collect(inner, event);
    else if (!found.has(value.keyId)) found.set(value.keyId, { sealed: value, event });
  };
  for (const event of events) {
    collect(dataOf(event), event);
    for (const inner of Object.values(event.metadata)) collect(inner, event);
  }
  return found;
}

function dataOf(event: StoredEvent): Json | undefined {
  try {
    return event.data;
  } catch (error) {
    if (error instanceof UnreadableEvent) return undefined;
    throw error;
  }
}

const isSealed = (value: object): value is Sealed =>
  'keyId' in value && 'box' in value && typeof value.keyId === 'string' && typeof value.box === 'string';

/**
 * Copies the keys that exist, durably when it resolves. Destroyed keys stay away.
 *
 * @throws CopyRefused, ContentKeysUnavailable
 */
export async function copyKeys(from: ContentKeys, to: ContentKeys, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const keys = [...(await from.getMany(ids))];
  const stored = await Promise.all(keys.map(([id, key]) => to.putIfAbsent(id, key)));
  const strange = stored.findIndex(({ key }, index) => !isSame(key, keys[index]?.[1]));
  if (strange >= 0) throw new CopyRefused(anotherKey(String(keys[strange]?.[0])));
}

/**
 * Compares the target's keys with the source's. A key that was destroyed in the source since it was copied is destroyed
 * in the target.
 *
 * @returns the number of such keys
 * @throws CopyRefused if a key is missing or differs, ContentKeysUnavailable
 */
export async function checkKeys(from: ContentKeys, to: ContentKeys, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const [source, target] = await Promise.all([from.getMany(ids), to.getMany(ids)]);
  for (const [id, key] of source) {
    const copy = target.get(id);
    if (!copy) throw new CopyRefused(`the key ${id} is missing in the target: its content could not be read there`);
    if (!isSame(copy, key)) throw new CopyRefused(anotherKey(id));
  }
  const destroyed = [...target.keys()].filter((id) => !source.has(id));
  await to.destroy(destroyed);
  return destroyed.length;
}

const isSame = (key: ContentKey, other: ContentKey | undefined): boolean =>
  other !== undefined && Buffer.from(key).equals(other);

const anotherKey = (id: string): string =>
  `the target has another key under the name ${id}, left there by something else: copy to an empty place`;
