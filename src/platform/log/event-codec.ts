import type { ContentKey, ContentKeys } from '../content-keys/content-keys.js';
import { eventKeyOf, type Sealed, sealFor, unseal, unsealFor } from '../content-keys/seal.js';
import { type EndedContent, endedContent, endsKeys } from '../kernel/content-duties.js';
import type { DomainEvent, EventMetadata, Recorded } from '../kernel/event.js';
import type { EventDefinition } from '../kernel/event-definition.js';
import type { Json, JsonObject } from '../kernel/json.js';
import { randomBytes } from '../kernel/random-bytes.js';
import { atRevision, type NewEvent, type StoredEvent, type StoredMetadata, UnreadableEvent } from './event-store.js';

const NONCE_BYTES = 16;

/** The definitions of all events that a log may hold, by stored name. */
export type EventRegistry = ReadonlyMap<string, EventDefinition>;

/** The key that seals an event's content, and its name. */
export interface SealingKey {
  readonly keyId: string;
  readonly key: ContentKey;
}

/** The metadata of an event that is not encoded yet: encoding gives every event a nonce of its own. */
export type EventCause = Omit<StoredMetadata, 'nonce'>;

/** The event is of a version or a type that this program does not know: a newer one can read it. */
export class NewerEvent extends Error {
  override readonly name = 'NewerEvent';
}

/** For a codec that reads no content. */
export const NO_KEYS = { getMany: async () => new Map<string, never>() };

/** An event of today's shape whose content, if it has any, is sealed. */
interface Upcast {
  readonly event: StoredEvent;
  readonly data: JsonObject;
  readonly sealed: Sealed | null;
}

/**
 * Converts domain events to stored events and back: names and versions, upcasting to today's shape, sealing and
 * unsealing of content. Only events with content need keys to be read.
 */
export class EventCodec {
  /** @param skipped the places of unreadable events that an operator has passed over: `decode` leaves them out */
  constructor(
    private readonly keys: Pick<ContentKeys, 'getMany'>,
    private readonly registry: EventRegistry,
    readonly skipped: ReadonlySet<string> = new Set(),
  ) {}

  /** @throws Error for an unregistered event type, or content without a key */
  encode(event: DomainEvent, id: string, cause: EventCause, sealing?: SealingKey): NewEvent {
    const definition = this.definitionOf(event.type);
    const metadata = { ...cause, nonce: newNonce() };
    const data = event.data as JsonObject;
    const sealed = definition.sealed?.field;
    if (sealed === undefined) return { id, type: definition.type, version: definition.version, data, metadata };
    if (!sealing) throw new Error(`${event.type} holds content and needs a key`);
    const closed = sealFor(id, data[sealed] as Json, sealing.keyId, sealing.key);
    return { id, type: definition.type, version: definition.version, data: { ...data, [sealed]: closed }, metadata };
  }

  /** Decodes events in order, with one look-up of keys for all. Addresses of requests are left out. */
  async decode(stored: readonly StoredEvent[]): Promise<Recorded[]> {
    const upcast = this.wanted(stored).map((event) => this.closed(event));
    const keys = await this.keysOf(upcast.flatMap(({ sealed }) => sealed?.keyId ?? []));
    return upcast.map((event) => this.opened(event, keys));
  }

  /** The events without those that are passed over. @throws UnreadableEvent if another one is damaged */
  sound(stored: readonly StoredEvent[]): readonly StoredEvent[] {
    const wanted = this.wanted(stored);
    for (const event of wanted) readable(event, () => event.data);
    return wanted;
  }

  /** Decodes events with the addresses of their requests, for those who may see them. One look-up of keys for all. */
  async decodeWithAddresses(stored: readonly StoredEvent[]): Promise<Recorded[]> {
    const upcast = stored.map((event) => this.closed(event));
    const addressKeyIds = new Set(stored.flatMap(({ metadata }) => metadata.address?.keyId ?? []));
    const keys = await this.keysOf([...upcast.flatMap(({ sealed }) => sealed?.keyId ?? []), ...addressKeyIds]);
    return upcast.map((each) => {
      const { address } = each.event.metadata;
      const event = this.opened(each, keys);
      if (!address) return event;
      const opened = readable(each.event, () => openedAddress(address, keys));
      return { ...event, metadata: { ...event.metadata, address: opened } };
    });
  }

  /** Opens the addresses of the events' requests alone. One look-up of keys for all. null: no address, or no key of it. */
  async addressesOf(stored: readonly StoredEvent[]): Promise<readonly (string | null)[]> {
    const keys = await this.keysOf([...new Set(stored.flatMap(({ metadata }) => metadata.address?.keyId ?? []))]);
    return stored.map((event) => {
      const { address } = event.metadata;
      return address ? readable(event, () => openedAddress(address, keys)) : null;
    });
  }

  /** Decodes events without their content, as if its keys were destroyed. Addresses of requests are left out. */
  decodeWithoutContent(stored: readonly StoredEvent[]): Recorded[] {
    return stored.map((event) => this.opened(this.closed(event), undefined));
  }

  /** Opened events with the data of the version that each was written in, which proofs are about. */
  asWritten(stored: readonly StoredEvent[], opened: readonly Recorded[]): readonly Recorded[] {
    return opened.map((event, at) => {
      const before = stored[at];
      const { sealed, version } = this.definitionOf(event.type);
      if (!before || before.version === version) return event;
      const content = sealed && { [sealed.field]: (event.data as JsonObject)[sealed.field] ?? null };
      return { ...event, data: { ...before.data, ...content } };
    });
  }

  /**
   * The events' own keys, which open their content and show that it is the one that was stored. null: there is no content,
   * its key is not there, the event is not committed to its key, or its content has secrets. One look-up of keys for all.
   */
  async keysOfEvents(stored: readonly StoredEvent[]): Promise<readonly (ContentKey | null)[]> {
    const all = stored.map((event) => {
      const { sealed: content } = this.definitionOf(event.type);
      const { sealed } = this.closed(event);
      return sealed?.keyTag === undefined || content?.secrets ? null : sealed;
    });
    const keys = await this.keysOf([...new Set(all.flatMap((sealed) => sealed?.keyId ?? []))]);
    return stored.map(({ id }, at) => {
      const key = keys?.get(all[at]?.keyId ?? '');
      return key ? eventKeyOf(key, id) : null;
    });
  }

  /** The key of the content that the event was opened without, because it is not there. null: there is no such content. */
  keyNotThere(stored: StoredEvent, opened: Recorded): string | null {
    const field = this.definitionOf(stored.type).sealed?.field;
    if (field === undefined || Reflect.get(opened.data, field) !== null) return null;
    return this.closed(stored).sealed?.keyId ?? null;
  }

  /** The opened event, with other content. */
  withContent(event: Recorded, content: Json): Recorded {
    const field = this.definitionOf(event.type).sealed?.field;
    return field === undefined ? event : { ...event, data: { ...event.data, [field]: content } };
  }

  private wanted(stored: readonly StoredEvent[]): readonly StoredEvent[] {
    return this.skipped.size === 0 ? stored : stored.filter((event) => !this.skipped.has(atRevision(event)));
  }

  /** @throws NewerEvent, UnreadableEvent */
  private closed(event: StoredEvent): Upcast {
    return readable(event, () => {
      const data = this.upcast(event);
      return { event, data, sealed: sealedIn(this.definitionOf(event.type), data) };
    });
  }

  private opened({ event, data, sealed }: Upcast, keys: ReadonlyMap<string, ContentKey> | undefined): Recorded {
    const { id, type, stream, revision, position } = event;
    const metadata = withoutAddress(event.metadata);
    const field = this.definitionOf(type).sealed?.field;
    if (!sealed || field === undefined) return { id, type, stream, revision, position, metadata, data };
    const key = keys?.get(sealed.keyId);
    const opened = key ? readable(event, () => unsealed('content', () => unsealFor(id, sealed, key))) : null;
    return { id, type, stream, revision, position, metadata, data: { ...data, [field]: opened } };
  }

  private async keysOf(keyIds: readonly string[]): Promise<ReadonlyMap<string, ContentKey> | undefined> {
    return keyIds.length > 0 ? this.keys.getMany(keyIds) : undefined;
  }

  private upcast(event: StoredEvent): JsonObject {
    // A damaged event says so here, before its type is looked for.
    let { data } = event;
    const definition = this.definitionOf(event.type);
    if (event.version > definition.version) {
      throw new NewerEvent(
        `${event.type} version ${event.version} was written by a newer Annals (this one knows ${definition.version})`,
      );
    }
    for (let version = event.version; version < definition.version; version++) {
      const step = definition.upcasters?.[version];
      if (!step) throw new Error(`${event.type} has no upcaster from version ${version}`);
      data = step(data);
    }
    return data;
  }

  /** Tells which keys and files go with the content that the events erase. */
  endedBy(events: readonly DomainEvent[]): EndedContent {
    const ended = events.map((event) => endedContent(this.definitionOf(event.type), event));
    return { keyIds: ended.flatMap(({ keyIds }) => keyIds), fileIds: ended.flatMap(({ fileIds }) => fileIds) };
  }

  /** The keys that the events end. One of an unknown type ends none. */
  keysEndedBy(stored: readonly StoredEvent[]): readonly string[] {
    const ending = stored.filter(({ type }) => {
      const definition = this.registry.get(type);
      return definition !== undefined && endsKeys(definition);
    });
    return this.endedBy(this.decodeWithoutContent(ending)).keyIds;
  }

  /** @throws NewerEvent for an unregistered event type */
  definitionOf(type: string): EventDefinition {
    const definition = this.registry.get(type);
    if (!definition) throw new NewerEvent(`unknown event type ${type}: was this log written by a newer Annals?`);
    return definition;
  }
}

/** Projections and deciders read no addresses, so opening them for each reader would cost much and serve nobody. */
export function withoutAddress(metadata: StoredMetadata): EventMetadata {
  if (!metadata.address) return metadata as Omit<StoredMetadata, 'address'>;
  const { address: _, ...others } = metadata;
  return others;
}

function openedAddress(address: Sealed, keys: ReadonlyMap<string, ContentKey> | undefined): string | null {
  const key = keys?.get(address.keyId);
  return key ? (unsealed('address', () => unseal(address, key)) as string) : null;
}

/** Opens what is sealed. The cipher's own words tell nobody what is wrong. */
function unsealed(what: string, open: () => Json): Json {
  try {
    return open();
  } catch (error) {
    throw new Error(`its ${what} is not what its key has sealed`, { cause: error });
  }
}

/** @throws NewerEvent; UnreadableEvent if the reading fails for another reason */
function readable<T>(event: StoredEvent, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof NewerEvent || error instanceof UnreadableEvent ? error : new UnreadableEvent(event, error);
  }
}

const newNonce = (): string => Buffer.from(randomBytes(NONCE_BYTES)).toString('base64url');

function sealedIn({ sealed }: EventDefinition, data: JsonObject): Sealed | null {
  return sealed ? (data[sealed.field] as Sealed) : null;
}
