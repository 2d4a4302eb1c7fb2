import { type SendDocument, type SendEntry, sends } from '../../../../projections/sends/sends.projection.js';
import { MESSAGES_STREAM, type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { ContentKeys } from '../../../platform/content-keys/content-keys.js';
import { digestUnder } from '../../../platform/content-keys/seal.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import { refuse, UnavailableError } from '../../../platform/kernel/domain-error.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { EventCodec } from '../../../platform/log/event-codec.js';
import { type EventStore, EventStoreUnavailable } from '../../../platform/log/event-store.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { eventIdOf, type SendKey } from '../domain/send-key.js';
import type { Sent } from '../domain/send-message.js';

export const sentBy = (
  { data: { senderPolicy, newFollowerIds } }: MessageSent,
  messageId: number,
  position: Position,
): Sent => ({
  messageId,
  position,
  changesPolicies: senderPolicy !== undefined || newFollowerIds !== undefined,
  ...(senderPolicy && { senderPolicy }),
});

/**
 * Sends messages that carry a key exactly once (D3). The content key records the intention: it is durable before the
 * append and never overwritten, so an existing key says that an earlier attempt may have appended.
 */
export class ExactlyOnce {
  constructor(
    private readonly runner: CommandRunner,
    private readonly eventStore: EventStore,
    private readonly contentKeys: ContentKeys,
    private readonly codec: EventCodec,
    private readonly readModels: ReadModels,
  ) {}

  /**
   * Finds the message that an earlier request with this key and body has sent. Comes before all rules: the answer to a
   * repeat does not depend on today's permissions of its sender.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED; UnavailableError
   */
  async earlier(key: SendKey, body: string): Promise<{ readonly sent: Sent | null; readonly attempt: number }> {
    const found = await this.inTable(key, body);
    if (found.sent) return found;
    const eventId = eventIdOf(key, found.attempt);
    if (!(await this.contentKeys.getMany([eventId])).has(eventId)) return found;
    // An attempt has stored its key. If it appended, the table shows its message once the table has reached the head.
    const head = await this.eventStore.head();
    await this.readModels.waitFor([sends], head);
    // A log that forgets ids would append a second message if the table does not show the first one yet.
    if (this.eventStore.idMemory === 'bounded' && this.readModels.position(sends) < head) {
      throw new UnavailableError('whether this was sent before cannot be told yet');
    }
    return this.inTable(key, body);
  }

  /** Appends the message, or finds the message that a concurrent attempt has appended. */
  async append(event: MessageSent, key: SendKey, body: string, attempt: number, by: CommandContext): Promise<Sent> {
    for (let n = attempt; ; n++) {
      const eventId = eventIdOf(key, n);
      const sealing = await this.runner.sealingKey(eventId);
      const digest = digestUnder(sealing.key, body);
      const keyed: MessageSent = { ...event, data: { ...event.data, sendKey: { ...key, digest } } };
      const result = await this.runner.report(MESSAGES_STREAM, keyed, by, { id: eventId, sealing });
      const messageId = messageIdAt(result.revision);
      if (result.isRepeat === false) return sentBy(event, messageId, result.position);
      // The first request under this id is stored; it may be a different one.
      const stored = await this.sentAt(result.revision);
      if (stored?.data.sendKey?.digest === digest) return sentBy(stored, messageId, result.position);
      if (key.kind === 'idempotency-key') refuse('IDEMPOTENCY_KEY_REUSED');
    }
  }

  private async inTable(key: SendKey, body: string): Promise<{ readonly sent: Sent | null; readonly attempt: number }> {
    const position = this.readModels.position(sends);
    const document = await this.readModels.collection<SendDocument>(sends, 'sends').findOne({ _id: key.id });
    const entries = document?.entries ?? [];
    const keys = await this.contentKeys.getMany(entries.map((entry) => entry.eventId));
    for (const entry of entries) {
      const contentKey = keys.get(entry.eventId);
      // Without its key the message is deleted and its content cannot be compared: the same key counts as a repeat.
      if (!contentKey || digestUnder(contentKey, body) === entry.digest)
        return { sent: { messageId: entry.messageId, position, ...policyOf(entry) }, attempt: 0 };
      if (key.kind === 'idempotency-key') refuse('IDEMPOTENCY_KEY_REUSED');
    }
    return { sent: null, attempt: entries.length };
  }

  private async sentAt(revision: number): Promise<MessageSent | undefined> {
    try {
      const stored = await this.eventStore.readStream(MESSAGES_STREAM, { from: revision, limit: 1 });
      const [event] = (await this.codec.decode(stored)) as Recorded<MessageSent>[];
      return event;
    } catch (error) {
      // The message is in the log: no answer may deny that.
      throw new EventStoreUnavailable('a message that is stored could not be read back', 'unknown', { cause: error });
    }
  }
}

const policyOf = ({ senderPolicy }: SendEntry): Pick<Sent, 'senderPolicy' | 'changesPolicies'> =>
  senderPolicy ? { senderPolicy, changesPolicies: true } : { changesPolicies: false };
