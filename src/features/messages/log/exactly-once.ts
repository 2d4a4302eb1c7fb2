import { Inject, Injectable } from '@nestjs/common';
import { SENDS, type SendDocument, sends } from '../../../../projections/sends/sends.projection.js';
import { MESSAGES_STREAM, type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { CONTENT_KEYS, type ContentKey, type ContentKeys } from '../../../platform/content-keys/content-keys.js';
import { digestUnder } from '../../../platform/content-keys/seal.js';
import { type CommandContext, DomainError, refuse } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import type { Position } from '../../../platform/kernel/position.js';
import { EventCodec } from '../../../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore, EventStoreUnavailable } from '../../../platform/log/event-store.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { eventIdOf, type SendKey } from '../domain/send-key.js';
import type { SendResult } from '../domain/send-message.js';

/** A send that must have one message, however often it is requested. */
export interface KeyedSend {
  readonly key: SendKey;
  /** The part of the request that a repeat must match. */
  readonly body: string;
  readonly by: CommandContext;
}

/** The id of the n-th event that may be sent under a key. */
interface Attempt {
  readonly n: number;
  readonly eventId: string;
}

/** The message of an earlier request; or, if there is none, the first attempt without a message. */
type Earlier = { readonly sent: SendResult } | { readonly sent: null; readonly next: Attempt };

const attemptOf = (key: SendKey, n: number): Attempt => ({ n, eventId: eventIdOf(key, n) });

export const sentBy = (event: MessageSent, messageId: number, position: Position): SendResult => ({
  messageId,
  position,
  event,
  ...(event.data.senderPolicy && { senderPolicy: event.data.senderPolicy }),
});

/**
 * Sends messages that carry a key exactly once (D3). The content key records the intention: it is durable before the
 * append and never overwritten, so an existing key says that an earlier attempt may have appended.
 */
@Injectable()
export class ExactlyOnce {
  constructor(
    private readonly runner: CommandRunner,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(CONTENT_KEYS) private readonly contentKeys: ContentKeys,
    private readonly codec: EventCodec,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Sends the message, or finds the message that an earlier request with this key and body has sent. The answer to a
   * repeat does not depend on today's permissions of its sender.
   *
   * @param decided decides on the message by today's rules
   * @throws DomainError IDEMPOTENCY_KEY_REUSED, or a refusal of `decided`; UnavailableError
   */
  async send(send: KeyedSend, decided: () => Promise<MessageSent>): Promise<SendResult> {
    const earlier = await this.inTable(send);
    if (earlier.sent) return earlier.sent;
    let event: MessageSent;
    try {
      event = await decided();
    } catch (error) {
      const sent = error instanceof DomainError ? await this.begun(send, earlier.next) : null;
      if (!sent) throw error;
      return sent;
    }
    return this.append(event, send, earlier.next);
  }

  /** The message of an earlier attempt that the table did not show yet. */
  private async begun(send: KeyedSend, { eventId }: Attempt): Promise<SendResult | null> {
    const keys = await this.contentKeys.getMany([eventId]);
    return keys.has(eventId) ? (await this.inNewestTable(send)).sent : null;
  }

  /** Appends the message, or finds the message that another attempt has appended. */
  private async append(event: MessageSent, send: KeyedSend, first: Attempt): Promise<SendResult> {
    const { key, body, by } = send;
    for (let attempt = first; ; attempt = attemptOf(key, attempt.n + 1)) {
      const { n, eventId } = attempt;
      let keyed = event;
      const keyedUnder = (contentKey: ContentKey): MessageSent => {
        const digest = digestUnder(contentKey, body);
        keyed = { ...event, data: { ...event.data, sendKey: { ...key, digest } } };
        return keyed;
      };
      let result = await this.runner.reportUnderNewKey(MESSAGES_STREAM, keyedUnder, by, eventId);
      if (result === null) {
        const earlier = await this.inNewestTable(send);
        if (earlier.sent) return earlier.sent;
        if (earlier.next.n > n) return this.append(event, send, earlier.next);
        const sealing = await this.runner.sealingKey(eventId);
        result = await this.runner.report(MESSAGES_STREAM, keyedUnder(sealing.key), by, { id: eventId, sealing });
      }
      const messageId = messageIdAt(result.revision);
      if (result.isRepeat === false) return sentBy(keyed, messageId, result.position);
      // The first request under this id is stored; it may be a different one.
      const stored = await this.sentAt(result.revision);
      if (stored && stored.data.sendKey?.digest === keyed.data.sendKey?.digest)
        return earlierSent({ messageId, senderPolicy: stored.data.senderPolicy }, result.position);
      if (key.kind === 'idempotency-key') refuse('IDEMPOTENCY_KEY_REUSED');
    }
  }

  /** Looks in the table when it has reached the log's head: it then has every message that was appended before. */
  private async inNewestTable(send: KeyedSend): Promise<Earlier> {
    const head = await this.eventStore.head();
    await this.readModels.waitFor([sends], head);
    // A log that forgets ids would append a second message if the table does not show the first one yet.
    if (this.eventStore.idMemory === 'bounded' && this.readModels.position(sends) < head) {
      throw new UnavailableError('whether this was sent before cannot be told yet');
    }
    return this.inTable(send);
  }

  private async inTable({ key, body }: KeyedSend): Promise<Earlier> {
    const position = this.readModels.position(sends);
    // What was answered a moment ago may be missing: its content key shows that there is something to wait for.
    const table = this.readModels.collection<SendDocument>(sends, SENDS, 'as stored');
    for (let next = attemptOf(key, 0); ; next = attemptOf(key, next.n + 1)) {
      const { eventId } = next;
      const found = await table.findOne({ _id: eventId });
      if (!found) return { sent: null, next };
      const contentKey = (await this.contentKeys.getMany([eventId])).get(eventId);
      // Without its key the message is deleted and its content cannot be compared: the same key counts as a repeat.
      if (!contentKey || digestUnder(contentKey, body) === found.digest) return { sent: earlierSent(found, position) };
      if (key.kind === 'idempotency-key') refuse('IDEMPOTENCY_KEY_REUSED');
    }
  }

  /** The event without its content. */
  private async sentAt(revision: number): Promise<MessageSent | undefined> {
    try {
      const stored = await this.eventStore.readStream(MESSAGES_STREAM, { from: revision, limit: 1 });
      const [event] = this.codec.decodeWithoutContent(stored) as Recorded<MessageSent>[];
      return event;
    } catch (error) {
      // The message is in the log: no answer may deny that.
      throw new EventStoreUnavailable('a message that is stored could not be read back', 'unknown', { cause: error });
    }
  }
}

const earlierSent = (
  { messageId, senderPolicy }: Pick<SendDocument, 'messageId' | 'senderPolicy'>,
  position: Position,
): SendResult => ({ messageId, position, event: { type: 'MessageSent' }, ...(senderPolicy && { senderPolicy }) });
