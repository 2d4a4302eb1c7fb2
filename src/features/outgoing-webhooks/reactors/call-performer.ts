import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord, WebhookRecord } from '../../../directory/directory.records.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { WEBHOOK_INTERFACES } from '../../../events/users/users.settings.js';
import { DomainError } from '../../../platform/kernel/deciding.js';
import type { Failure } from '../../../platform/outgoing/outgoing-requests.js';
import type { TaskResult } from '../../../platform/tasks/task.js';
import type { FeatureFollowerParts } from '../../feature.js';
import { nativeAnswer, slackAnswer } from '../domain/webhook-answer.js';
import type { BotReplies } from './bot-replies.js';
import { nativeCall, slackCall } from './webhook-bodies.js';
import { type CallTask, LONGEST_TRYING_MS, MOST_RETRIES } from './webhook-tasks.js';

interface CallPerformerOptions extends Pick<FeatureFollowerParts, 'readModels' | 'outgoing' | 'site'> {
  readonly directory: Directory;
  readonly replies: BotReplies;
  readonly signal: AbortSignal;
}

const DONE = { outcome: 'done' } as const;
const CALL_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The parts of a call that is to be made. */
interface Call {
  readonly bot: UserRecord;
  readonly webhook: WebhookRecord;
  readonly message: MessageDocument;
}

/** Makes a call and posts the reply. The queue has failures posted once it has stored them. */
export class CallPerformer {
  constructor(private readonly options: CallPerformerOptions) {}

  async perform(task: CallTask): Promise<TaskResult<CallTask>> {
    const call = await this.callFor(task);
    if (call === null) return DONE;
    if (!this.mayHave(call)) return this.withheld(call, task);
    if (Date.now() - call.message.sentAt > LONGEST_TRYING_MS) return fail('the message is too old');
    const { url, interface: form } = call.webhook;
    const isSlack = form === WEBHOOK_INTERFACES.slack;
    if (isSlack && call.message.type === 'direct') return fail("Slack's form has no direct messages");
    const body = (isSlack ? slackCall : nativeCall)({ ...call, trigger: task.trigger }, this.options);
    const { outgoing, signal } = this.options;
    const answer = await outgoing.post(url, { ...body, maxBytes: MAX_ANSWER_BYTES, timeout: CALL_TIMEOUT_MS, signal });
    if (answer.outcome === 'failed') return this.failed(task, answer);
    const { kind, ...answered } = (isSlack ? slackAnswer : nativeAnswer)(answer.body.toString());
    if ('problem' in answered) return fail(answered.problem);
    return 'text' in answered ? this.reply(call, answered.text) : DONE;
  }

  /** Posts that a call has failed for good. */
  async postFailure(task: CallTask): Promise<void> {
    const call = await this.callFor(task);
    const reason = task.failure ?? 'it could not be called for too long';
    if (call && this.mayHave(call)) await this.options.replies.failure(call.bot, call.message, reason);
  }

  /** null: the message is deleted, or calls the bot no more. */
  private async callFor({ messageId, botId, trigger }: CallTask): Promise<Call | null> {
    const { directory, readModels } = this.options;
    const bot = directory.user(botId);
    const webhook = bot?.bot?.webhook;
    if (!bot?.isActive || !webhook) return null;
    const message = await readModels.collection<MessageDocument>(messages, MESSAGES).findOne({ _id: messageId });
    if (!message || message.text === null) return null;
    if (message.type === 'direct') return { bot, webhook, message };
    if (trigger === 'mention' && !message.mentions?.userIds?.includes(botId)) return null;
    return directory.channel(message.channelId)?.isArchived === false ? { bot, webhook, message } : null;
  }

  private mayHave({ bot, message }: Call): boolean {
    return message.type === 'direct' || mayRead(bot, message, this.options.directory);
  }

  /** Tells the writer, unless the message has been moved to where the bot may not read. */
  private async withheld({ bot, message }: Call, { channelId }: CallTask): Promise<TaskResult<CallTask>> {
    if (message.type === 'channel' && message.channelId === channelId)
      await this.options.replies.notCalled(bot, message);
    return DONE;
  }

  private failed(task: CallTask, { kind, reason }: Failure): TaskResult<CallTask> {
    if (kind === 'aborted') return { outcome: 'interrupted' };
    const isUnreachable = kind === 'timeout' || kind === 'connection';
    return isUnreachable && task.tries < MOST_RETRIES ? { outcome: 'later', reason } : fail(reason);
  }

  private async reply(call: Call, text: string): Promise<TaskResult<CallTask>> {
    try {
      await this.options.replies.reply(call.bot, call.message, text);
      return DONE;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return fail(`its answer cannot be a message (${error.code})`);
    }
  }
}

const fail = (reason: string): TaskResult<CallTask> => ({ outcome: 'refused', reason, changes: { failure: reason } });
