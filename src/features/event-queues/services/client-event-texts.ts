import { Inject, Injectable } from '@nestjs/common';
import type { StaticClientEvent } from '../../../../projections/client-events/client-event.js';
import type { ClientEventDocument } from '../../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../directory/directory.js';
import { type ByteBudget, sizeOfBytes } from '../../../platform/kernel/byte-budget.js';
import {
  CLIENT_EVENT_WRITERS,
  type ClientEventWriter,
  type QueueNarrowing,
  type ServedQueue,
  type Variant,
  type WriteBody,
} from '../client-event-writer.js';

/** Events whose documents are read at once: each may name a message of some hundred kilobytes. */
const AT_ONCE = 50;

/** A client event as JSON, with its id in it. */
export interface ClientEventText {
  readonly id: number;
  readonly text: string;
}

/** Writes events as JSON texts: by the writer of the kind, or from the stored body if the kind has no writer. */
@Injectable()
export class ClientEventTexts {
  private readonly byKind: ReadonlyMap<string, ClientEventWriter>;
  private readonly staticBodies = new WeakMap<object, string>();
  /** The newer type that replaces a kind, by kind. */
  readonly replacedBy: ReadonlyMap<string, string>;

  constructor(
    @Inject(CLIENT_EVENT_WRITERS) private readonly writers: readonly ClientEventWriter[],
    @Inject(Directory) private readonly directory: Pick<Directory, 'user'>,
  ) {
    this.byKind = new Map(writers.flatMap((writer) => writer.kinds.map(({ kind }) => [kind, writer] as const)));
    const kinds = writers.flatMap((writer) => writer.kinds);
    this.replacedBy = new Map(kinds.flatMap(({ kind, replacedBy }) => (replacedBy ? [[kind, replacedBy]] : [])));
  }

  get narrowing(): QueueNarrowing {
    const found = this.writers.find(({ narrowing }) => narrowing)?.narrowing;
    if (!found) throw new Error('no feature narrows queues');
    return found;
  }

  forget(events: readonly ClientEventDocument[]): void {
    for (const writer of this.writers) writer.forget?.(events);
  }

  /**
   * The JSON texts of the events that have something for this queue, up to the first that the budget refuses.
   *
   * @param after the newest id that the client has
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(
    queue: EventQueueDocument,
    events: readonly ClientEventDocument[],
    after: number,
    budget: ByteBudget,
  ): Promise<ClientEventText[]> {
    const reader = this.directory.user(queue.userId);
    if (!reader) throw new Error(`queue ${queue._id} belongs to nobody`);
    const to = { reader, queue, variant: variantOf(queue) };
    const texts: ClientEventText[] = [];
    for (let at = 0; at < events.length; at += AT_ONCE) {
      for (const text of await this.textsOf(events.slice(at, at + AT_ONCE), after, to)) {
        if (!budget.admits(sizeOfBytes(Buffer.byteLength(text.text)))) return texts;
        texts.push(text);
      }
    }
    return texts;
  }

  private async textsOf(
    events: readonly ClientEventDocument[],
    after: number,
    to: ServedQueue,
  ): Promise<ClientEventText[]> {
    const { queue } = to;
    const write = await this.prepared(events, to);
    const texts: ClientEventText[] = [];
    for (const event of events) {
      const written = write.get(event.kind)?.(event) ?? null;
      const body = write.has(event.kind) ? written : this.staticBody(event, queue.clientCapabilities);
      if (body === null) continue;
      if (typeof body === 'string') texts.push(withId(body, event._id));
      else for (const { id, body: own } of body) if (id > after) texts.push(withId(own, id));
    }
    return texts;
  }

  /** By kind. */
  private async prepared(
    events: readonly ClientEventDocument[],
    to: ServedQueue,
  ): Promise<ReadonlyMap<string, WriteBody>> {
    const byWriter = new Map<ClientEventWriter, ClientEventDocument[]>();
    for (const event of events) {
      const writer = this.byKind.get(event.kind);
      const own = writer && byWriter.get(writer);
      if (own) own.push(event);
      else if (writer) byWriter.set(writer, [event]);
    }
    const write = new Map<string, WriteBody>();
    for (const [writer, own] of byWriter) {
      const body = await writer.prepare(own, to);
      for (const { kind } of own) write.set(kind, body);
    }
    return write;
  }

  private staticBody(
    { kind, payload }: ClientEventDocument,
    capabilities: EventQueueDocument['clientCapabilities'],
  ): string | null {
    if (!isStatic(payload)) throw new Error(`${kind} has no writer`);
    const { body, without, unless } = payload;
    if (unless && (capabilities[unless] ?? false)) return null;
    const knows = !without || (capabilities[without.capability] ?? false);
    const shape = knows ? { kind, body } : without.instead;
    if (shape === null) return null;
    let text = this.staticBodies.get(shape.body);
    if (text === undefined) {
      text = JSON.stringify({ ...headOf(shape.kind), ...shape.body });
      this.staticBodies.set(shape.body, text);
    }
    return text;
  }
}

const isStatic = (payload: object): payload is StaticClientEvent => 'body' in payload;

/** @param body a JSON object that is not empty */
const withId = (body: string, id: number): ClientEventText => ({ id, text: `${body.slice(0, -1)},"id":${id}}` });

const variantOf = (queue: EventQueueDocument): Variant => ({
  applyMarkdown: queue.applyMarkdown,
  clientGravatar: queue.clientGravatar,
  allowEmptyTopicName: queue.clientCapabilities.empty_topic_name ?? false,
  includeSubscribers: queue.includeSubscribers,
  notificationSettingsNull: queue.clientCapabilities.notification_settings_null ?? false,
});

/** `type`, and `op` if the kind has one. */
function headOf(kind: string): { readonly type: string; readonly op?: string } {
  const [type = kind, op] = kind.split('/', 2);
  return op === undefined ? { type } : { type, op };
}
