import { Inject, Injectable } from '@nestjs/common';
import type { AuditDocument } from '../../../../projections/audit/audit.projection.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../../../events/messages/messages.events.js';
import { canonicalAddress } from '../../../platform/http/address-block.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { forEachConcurrently } from '../../../platform/kernel/for-each-concurrently.js';
import type { Position } from '../../../platform/kernel/position.js';
import { EventCodec } from '../../../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore, type StoredEvent } from '../../../platform/log/event-store.js';

/** Reading so many events in vain costs less than another read. */
const MOST_BETWEEN = 6;
const READS_AT_ONCE = 8;

type Place = Pick<AuditDocument, '_id' | 'stream' | 'revision'>;

/** Neighbouring events of a stream, which one read finds. */
interface Stretch {
  readonly stream: string;
  readonly from: number;
  readonly to: number;
}

/** The events themselves, which the log alone has. */
@Injectable()
export class AuditLog {
  constructor(
    @Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'knownHead' | 'head' | 'readStream'>,
    private readonly codec: EventCodec,
  ) {}

  /** The position of the newest event. @throws EventStoreUnavailable */
  async head(): Promise<Position> {
    return this.log.knownHead ?? this.log.head();
  }

  /** The events of the documents, in their order, with the addresses of their requests. @throws Error if the log is another one */
  async eventsOf(documents: readonly Place[]): Promise<readonly Recorded[]> {
    return this.opened(await this.storedOf(documents));
  }

  /** Stored events, with the addresses of their requests. */
  opened(stored: readonly StoredEvent[]): Promise<readonly Recorded[]> {
    return this.codec.decodeWithAddresses(stored);
  }

  /** The same events as they are stored. @throws Error if the log is another one */
  async storedOf(documents: readonly Place[]): Promise<readonly StoredEvent[]> {
    const found = new Map<number, StoredEvent>();
    await forEachConcurrently(stretchesOf(documents), READS_AT_ONCE, async ({ stream, from, to }) => {
      for (let next = from; next <= to; ) {
        const events = await this.log.readStream(stream, { from: next, limit: to - next + 1 });
        if (events.length === 0) break;
        for (const event of events) found.set(event.position, event);
        next += events.length;
      }
    });
    return documents.map(({ _id, stream, revision }) => {
      const event = found.get(_id);
      if (!event) throw new Error(`the log has no event ${stream}@${revision} at position ${_id}`);
      return event;
    });
  }

  /** Those of the documents whose requests came from the address. @param address as `canonicalAddress` writes it */
  async fromAddress(address: string, documents: readonly AuditDocument[]): Promise<readonly AuditDocument[]> {
    const addresses = await this.codec.addressesOf(await this.storedOf(documents));
    return documents.filter((_, at) => {
      const its = addresses[at] ?? null;
      return its !== null && canonicalAddress(its) === address;
    });
  }

  /** null: no message has the number. */
  async sendOf(messageId: number): Promise<Recorded<MessageSent> | null> {
    if (messageId < 1) return null;
    const [stored] = await this.log.readStream(MESSAGES_STREAM, { from: revisionOf(messageId), limit: 1 });
    const [sent] = stored ? await this.codec.decode([stored]) : [];
    return sent && isSend(sent) ? sent : null;
  }
}

const isSend = (event: Recorded): event is Recorded<MessageSent> => event.type === 'MessageSent';

function stretchesOf(places: readonly Place[]): readonly Stretch[] {
  const ordered = [...places].sort((a, b) =>
    a.stream === b.stream ? a.revision - b.revision : a.stream < b.stream ? -1 : 1,
  );
  const stretches: Stretch[] = [];
  for (const { stream, revision } of ordered) {
    const last = stretches.at(-1);
    if (last && last.stream === stream && revision - last.to <= MOST_BETWEEN)
      stretches[stretches.length - 1] = { ...last, to: revision };
    else stretches.push({ stream, from: revision, to: revision });
  }
  return stretches;
}
