import { type MissingKeysAccepted, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { Position } from '../../platform/kernel/position.js';
import type { EventStore } from '../../platform/log/event-store.js';

/** The event with which an operator gave up missing keys. Keys of events behind it are not given up. */
export interface AcceptedKeys extends Pick<MissingKeysAccepted['data'], 'keys' | 'of'> {
  readonly id: string;
  readonly position: Position;
}

/** Reads the newest of these events; null: no key was given up. @throws EventStoreUnavailable */
export async function acceptedKeys(eventStore: Pick<EventStore, 'readStream'>): Promise<AcceptedKeys | null> {
  const events = await eventStore.readStream(TRANSPARENCY_STREAM);
  return (
    events
      .filter(({ type }) => type === 'MissingKeysAccepted')
      .flatMap(({ id, position, data: { keys, of } }) =>
        typeof keys === 'number' && typeof of === 'number' ? [{ id, position, keys, of }] : [],
      )
      .at(-1) ?? null
  );
}

/** Says which keys were given up. @param missing how many of them are missing now */
export const acceptedKeysText = (missing: number, accepted: AcceptedKeys | null): string =>
  missing === 0 || accepted === null
    ? ''
    : `Keys that are missing without a deletion: ${missing}. They were given up on record: MissingKeysAccepted ${accepted.id} (position ${accepted.position}), when ${accepted.keys} of the ${accepted.of} newest keys were missing.\n`;
