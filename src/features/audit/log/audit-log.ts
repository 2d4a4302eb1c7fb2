import { Inject, Injectable } from '@nestjs/common';
import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../../../events/messages/messages.events.js';
import { streamOfEnd } from '../../../events/stream-of-end.js';
import type { ContentKey } from '../../../platform/content-keys/content-keys.js';
import { canonicalAddress } from '../../../platform/http/address-block.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Position } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import { EventCodec } from '../../../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore, type StoredEvent } from '../../../platform/log/event-store.js';
import { CodecForPeople, KeyEnds } from '../../../platform/log/key-ends.js';
import { eventsAt } from '../../../platform/log/scattered-events.js';

/** Events of a stream that are read at once. */
const AT_ONCE = 200;

type Place = Pick<AuditDocument, '_id' | 'stream' | 'revision'>;

/** The events themselves, which the log alone has. */
@Injectable()
export class AuditLog {
  private readonly forPeople: CodecForPeople;

  constructor(
    @Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'knownHead' | 'head' | 'readStream' | 'readAt'>,
    private readonly codec: EventCodec,
  ) {
    this.forPeople = new CodecForPeople(codec, new KeyEnds(log, codec, streamOfEnd));
  }

  /** The position of the newest event. @throws EventStoreUnavailable */
  async head(): Promise<Position> {
    return this.log.knownHead ?? this.log.head();
  }

  /** The events of the documents, in order, with the addresses of their requests. @throws Error if the log is another one */
  async eventsOf(documents: readonly Place[]): Promise<readonly Recorded[]> {
    return this.opened(await this.storedOf(documents));
  }

  /**
   * Stored events, with the addresses of their requests.
   * @param isShown whether the content of the event is shown: then it tells a missing key (`KEY_MISSING`) from a destroyed
   * one (null)
   */
  opened(stored: readonly StoredEvent[], isShown?: (event: Recorded) => boolean): Promise<readonly Recorded[]> {
    return this.forPeople.decodeWithAddresses(stored, isShown);
  }

  /** The same without content: no key of it is read. */
  async openedWithoutWords(stored: readonly StoredEvent[]): Promise<readonly Recorded[]> {
    const addresses = await this.codec.addressesOf(stored);
    return this.codec.decodeWithoutContent(stored).map((event, at) => {
      const address = addresses[at];
      return address ? { ...event, metadata: { ...event.metadata, address } } : event;
    });
  }

  /** Opened events in the versions that they were written in. */
  asWritten(stored: readonly StoredEvent[], opened: readonly Recorded[]): readonly Recorded[] {
    return this.codec.asWritten(stored, opened);
  }

  /** As `EventCodec.keysOfEvents`. */
  keysOf(stored: readonly StoredEvent[]): Promise<readonly (ContentKey | null)[]> {
    return this.codec.keysOfEvents(stored);
  }

  /** The same events as they are stored. @throws Error if the log is another one */
  storedOf(documents: readonly Place[]): Promise<readonly StoredEvent[]> {
    const places = documents.map(({ _id: position, stream, revision }) => ({ position, stream, revision }));
    return eventsAt(places, this.log);
  }

  /** The documents whose requests came from the address. @param address as `canonicalAddress` writes it */
  async fromAddress(address: string, documents: readonly AuditDocument[]): Promise<readonly AuditDocument[]> {
    const addresses = await this.codec.addressesOf(await this.storedOf(documents));
    return documents.filter((_, at) => {
      const its = addresses[at] ?? null;
      return its !== null && canonicalAddress(its) === address;
    });
  }

  /** The events of a stream up to a position, without their words. Leaves turns of the event loop to others. */
  async *streamUpTo(stream: string, position: Position): AsyncGenerator<Recorded, void> {
    for (let from = 0; ; from += AT_ONCE) {
      const stored = await this.log.readStream(stream, { from, limit: AT_ONCE });
      const known = stored.filter((event) => event.position <= position);
      yield* this.codec.decodeWithoutContent(known);
      if (known.length < AT_ONCE) return;
      await nextSlice();
    }
  }

  /** The send, without its words. null: no message has the number. */
  async sendOf(messageId: number): Promise<Recorded<MessageSent> | null> {
    if (messageId < 1) return null;
    const [stored] = await this.log.readStream(MESSAGES_STREAM, { from: revisionOf(messageId), limit: 1 });
    const [sent] = stored ? this.codec.decodeWithoutContent([stored]) : [];
    return sent && isSend(sent) ? sent : null;
  }
}

const isSend = (event: Recorded): event is Recorded<MessageSent> => event.type === 'MessageSent';
