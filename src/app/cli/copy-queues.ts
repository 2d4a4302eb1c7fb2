import {
  EVENT_QUEUES_STREAM,
  type EventQueueEvent,
  type QueueExpired,
} from '../../events/event-queues/event-queues.events.js';
import { eventRegistry } from '../../events/event-registry.js';
import { derivedId, newEventId } from '../../platform/kernel/ids.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { appendPatiently } from './copy-append.js';

const KNOWN: ReadonlySet<string> = new Set<EventQueueEvent['type']>([
  'QueueRegistered',
  'QueueDeleted',
  'QueueExpired',
]);
const AT_ONCE = 256;

/**
 * The event queues that live at the end of a log. A queue is a place in the log, and a copy has other places, so a copy
 * ends all queues, once, under ids that a repeated copy recognizes.
 */
export class OpenQueues {
  private readonly open = new Set<string>();
  private readonly ended = new Set<string>();
  /** Revision of the last event of their stream; null if there is none. */
  private revision: number | null = null;
  /** Events of queues have no content, so no keys are needed. */
  private readonly codec = new EventCodec({ getMany: async () => new Map() }, eventRegistry);

  /** Number of queues that live at the end of the log. */
  get count(): number {
    return this.open.size;
  }

  /** Applies events of the source, in its order. */
  async apply(events: readonly StoredEvent[]): Promise<void> {
    const own = events.filter(({ stream }) => stream === EVENT_QUEUES_STREAM);
    this.revision = own.at(-1)?.revision ?? this.revision;
    const known = await this.codec.decode(own.filter(({ type }) => KNOWN.has(type)));
    for (const { type, data } of known as unknown as EventQueueEvent[]) {
      if (type === 'QueueRegistered') this.open.add(data.queueId);
      else this.open.delete(data.queueId);
    }
  }

  /**
   * Takes an event of the target behind the source's last; false unless it is the end that a copy gave one of these
   * queues.
   */
  isEnd(event: StoredEvent): boolean {
    const queueId = endedBy(event);
    if (queueId === null || !this.open.has(queueId)) return false;
    this.ended.add(queueId);
    this.revision = event.revision;
    return true;
  }

  /** Ends the queues. @returns the number that earlier runs had not ended */
  async end(log: Pick<EventStore, 'append'>): Promise<number> {
    const living = [...this.open].filter((queueId) => !this.ended.has(queueId));
    const correlationId = newEventId();
    for (let first = 0; first < living.length; first += AT_ONCE) {
      const cause = { actorId: null, client: 'annals', at: Date.now(), correlationId, causationId: null };
      const events = living.slice(first, first + AT_ONCE).map((queueId) => {
        const expired: QueueExpired = { type: 'QueueExpired', data: { queueId } };
        return this.codec.encode(expired, endId(queueId), cause);
      });
      const { revision } = await appendPatiently(log, EVENT_QUEUES_STREAM, events, this.revision ?? 'new');
      this.revision = revision;
    }
    return living.length;
  }
}

/** Gives the queue that a copy has ended with this event; null for any other event. */
export function endedBy({ id, stream, type, data: { queueId } }: StoredEvent): string | null {
  if (stream !== EVENT_QUEUES_STREAM || type !== 'QueueExpired' || typeof queueId !== 'string') return null;
  return id === endId(queueId) ? queueId : null;
}

const endId = (queueId: string): string => derivedId('queue ended by a copy', queueId);
