import { type MissingKeysAccepted, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { Position } from '../../platform/kernel/position.js';
import type { EventStore } from '../../platform/log/event-store.js';

/** The event with which an operator gave up missing keys. Keys of events behind it are not given up. */
interface AcceptedKeys extends Pick<MissingKeysAccepted['data'], 'keys' | 'of'> {
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

/** A change of the key or the name that signs checkpoints, as the log tells it. */
interface SignerChange {
  /** Verifier keys. Their names are parts of them. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Reads who has signed the log, in order. @param stream has what the server says of its log @throws EventStoreUnavailable */
export async function signerChanges(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<readonly SignerChange[]> {
  const events = await eventStore.readStream(stream);
  return events.flatMap(({ type, data: { previousVerifier: from, verifier: to }, metadata: { at } }) =>
    type === 'LogSignerChanged' && typeof from === 'string' && typeof to === 'string' ? [{ from, to, at }] : [],
  );
}

/**
 * Tells the signers in their order, one a line. @param newest the verifier key of the newest checkpoint
 * @returns '' if there was one alone
 */
export function signersText(changes: readonly SignerChange[], newest: string): string {
  const last = changes.at(-1)?.to ?? newest;
  const lines = changes.map(({ from, at }) => `until ${new Date(at).toISOString()} by ${from}`);
  if (changes.length > 0) lines.push(`since then by ${last}`);
  if (newest !== last) lines.push(`the newest checkpoint by ${newest}, which no event of the log names`);
  return lines.length === 0 ? '' : `Checkpoints were signed\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
