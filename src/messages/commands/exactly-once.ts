import type { ReadModels } from '../../../projections/runner/read-models.js';
import { type SendDocument, type SendEntry, sends } from '../../../projections/sends.projection.js';
import type { CommandRunner } from '../../command-runner/command-runner.js';
import type { ContentKeys } from '../../content-keys/content-keys.js';
import { digestUnder } from '../../content-keys/seal.js';
import type { EventCodec } from '../../event-codec/event-codec.js';
import { type EventStore, EventStoreUnavailable } from '../../event-store/event-store.js';
import type { CommandContext } from '../../kernel/command-context.js';
import { refuse, UnavailableError } from '../../kernel/domain-error.js';
import type { Recorded } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { RaisedPolicy } from '../../personal/domain/topic-habits.settings.js';
import { MESSAGES_STREAM, type MessageSent, messageIdAt } from '../domain/messages.events.js';
import { eventIdOf, type SendKey } from '../domain/send-key.js';

export interface Sent {
  readonly messageId: number;
  readonly position: Position;
  /** What the send made of the topic to its sender; absent: nothing. */
  readonly senderPolicy?: RaisedPolicy;
  /** Somebody's policy for the topic follows from the message. */
  readonly changesPolicies: boolean;
}

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
 * Sends that carry a key, exactly once (D3). The content key is the record of the intention: it is durable before the
 * append and never overwritten, so a key that is there already says that an earlier attempt may have appended.
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
   * The message that this request was answered with before, if any: asked before any rule, since the answer to a
   * repeat does not depend on what its sender may do today.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED; UnavailableError
   */
  async earlier(key: SendKey, body: string): Promise<{ readonly sent: Sent | null; readonly attempt: number }> {
    const found = await this.inTable(key, body);
    if (found.sent) return found;
    const eventId = eventIdOf(key, found.attempt);
    if (!(await this.contentKeys.getMany([eventId])).has(eventId)) return found;
    // An attempt got as far as its key: what it may have appended is in the table once that has reached the head.
    const head = await this.eventStore.head();
    await this.readModels.waitFor([sends], head);
    // A log that forgets ids would take for new what the table does not show yet.
    if (this.eventStore.idMemory === 'bounded' && this.readModels.position(sends) < head) {
      throw new UnavailableError('whether this was sent before cannot be told yet');
    }
    return this.inTable(key, body);
  }

  /** Appends, or finds what an attempt that ran at the same time has appended. */
  async append(event: MessageSent, key: SendKey, body: string, attempt: number, by: CommandContext): Promise<Sent> {
    for (let n = attempt; ; n++) {
      const eventId = eventIdOf(key, n);
      const sealing = await this.runner.sealingKey(eventId);
      const digest = digestUnder(sealing.key, body);
      const keyed: MessageSent = { ...event, data: { ...event.data, sendKey: { ...key, digest } } };
      const result = await this.runner.report(MESSAGES_STREAM, keyed, by, { id: eventId, sealing });
      const messageId = messageIdAt(result.revision);
      if (result.isRepeat === false) return sentBy(event, messageId, result.position);
      // Whoever came first under this id has stored their request, which may be another one.
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
      // Without its key the message is deleted, and what it said can no longer be compared: the same key is a repeat.
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
      // It is in the log by now: nobody may be told that it is not.
      throw new EventStoreUnavailable('a message that is stored could not be read back', 'unknown', { cause: error });
    }
  }
}

const policyOf = ({ senderPolicy }: SendEntry): Pick<Sent, 'senderPolicy' | 'changesPolicies'> =>
  senderPolicy ? { senderPolicy, changesPolicies: true } : { changesPolicies: false };
