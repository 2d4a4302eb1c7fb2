import type { KeyUsedElsewhere } from '../../src/events/accesses/accesses.events.js';
import { type ApiKeysEnded, type ApiKeysRegenerated, apiKeyId } from '../../src/events/users/users.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { EventPlace, Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { type Change, insert, type OwnDocuments, projection } from '../../src/platform/read-models/projection.js';

/** The event of a key's use from an address, which the event alone has. */
interface AddressOfKey extends Omit<EventPlace, 'id'> {
  readonly apiKeyId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface KeyAddressesDocument extends StoredDocument {
  /** The account. */
  readonly _id: number;
  /** Oldest first. */
  readonly addresses: readonly AddressOfKey[];
  readonly position: Position;
}

export const KEY_ADDRESSES = 'accounts';

/** Addresses on record: the newest of each key, and of all keys of an account. */
const MOST_OF_KEY = 50;
const MOST_OF_ACCOUNT = 500;

/** Where the log has the addresses that API keys were used from. No document has an address: only its key may end it. */
export const keyAddresses = projection<KeyUsedElsewhere | ApiKeysEnded | ApiKeysRegenerated>({
  name: 'key-addresses',
  version: 1,
  collections: { [KEY_ADDRESSES]: {} },
  on: {
    KeyUsedElsewhere: (event, documents) =>
      changed(event, documents, (addresses) => {
        const { position, stream, revision, data, metadata } = event;
        const newest = { apiKeyId: data.apiKeyId, position, stream, revision, at: metadata.at };
        const others = addresses.filter((one) => one.apiKeyId !== data.apiKeyId);
        const own = addresses.filter((one) => one.apiKeyId === data.apiKeyId).slice(1 - MOST_OF_KEY);
        const all = [...others, ...own].sort((a, b) => a.position - b.position);
        return [...all.slice(1 - MOST_OF_ACCOUNT), newest];
      }),
    ApiKeysEnded: (event, documents) => {
      const ended = new Set(event.data.keyHashes.map(apiKeyId));
      return changed(event, documents, (addresses) => addresses.filter((one) => !ended.has(one.apiKeyId)));
    },
    ApiKeysRegenerated: (event, documents) => changed(event, documents, () => []),
  },
  prefetch: {
    KeyUsedElsewhere: ({ data }) => [[KEY_ADDRESSES, data.userId]],
    ApiKeysEnded: ({ data }) => [[KEY_ADDRESSES, data.userId]],
    ApiKeysRegenerated: ({ data }) => [[KEY_ADDRESSES, data.userId]],
  },
  awaited: false,
});

async function changed(
  { data, position }: Recorded<KeyUsedElsewhere | ApiKeysEnded | ApiKeysRegenerated>,
  documents: OwnDocuments,
  change: (addresses: readonly AddressOfKey[]) => readonly AddressOfKey[],
): Promise<readonly Change[]> {
  const { userId: _id } = data;
  const known = await documents.collection<KeyAddressesDocument>(KEY_ADDRESSES).findOne({ _id });
  if (known && known.position >= position) return [];
  const addresses = change(known?.addresses ?? []);
  if (!known && addresses.length === 0) return [];
  const document: KeyAddressesDocument = { _id, addresses, position };
  return [insert(KEY_ADDRESSES, document)];
}
