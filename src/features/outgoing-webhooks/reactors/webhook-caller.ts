import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { type DirectoryParts, FollowedDirectory } from '../../../directory/followed-directory.js';
import { type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import { Consumer } from '../../../platform/consumers/consumer.js';
import type { FollowerParts, OpenFollower } from '../../../platform/consumers/follower.js';
import { knownThrough } from '../../../platform/consumers/known-documents.js';
import type { DocumentDatabase } from '../../../platform/documents/document-store.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Batch } from '../../../platform/log/event-store.js';
import { TASK_INDEXES, TaskQueue } from '../../../platform/tasks/task-queue.js';
import { CodeColouring } from '../../code-colours/code-colouring.js';
import { calledWebhooks, mayCall, type OpenPart } from '../domain/called-bots.js';
import { BotReplies } from './bot-replies.js';
import { CallPerformer } from './call-performer.js';
import { CALLS, CALLS_READ, type CallTask, laneOf, WEBHOOKS_DATABASE } from './webhook-tasks.js';

/** The database of the queue. Rebuilds leave it and the checkpoint's alone. */
const CALLS_DATABASE = 'webhook-calls';
const TASKS = 'tasks';
/** Messages that call nobody, before the checkpoint is stored: the next start looks at them again. */
const MOST_IDLE = 500;

export interface WebhookCallerOptions
  extends Pick<FollowerParts, 'readModels' | 'runner' | 'outgoing' | 'site'>,
    Omit<FollowerParts, 'bus' | 'pushSender'>,
    DirectoryParts {
  readonly warn: (line: string) => void;
}

/**
 * Calls outgoing webhook bots (D16). It follows the log and writes calls into a queue, in which a call has an id made of the
 * message and the bot: an event that is handled again adds nothing. A call that is under way when the process ends is made
 * again; its reply is posted once. Without a checkpoint, it starts at the log's end.
 */
export class WebhookCaller implements OpenFollower {
  private readonly consumer: Consumer;
  private readonly accounts: FollowedDirectory;
  private readonly colouring = new CodeColouring();
  private readonly stopping = new AbortController();
  private database: DocumentDatabase | null = null;
  /** Messages since the checkpoint was stored. */
  private idle = 0;
  private opened: TaskQueue<CallTask> | null = null;

  constructor(private readonly options: WebhookCallerOptions) {
    const { eventStore, readModels } = options;
    this.accounts = new FollowedDirectory(options, directoryProjection);
    const { directory } = this.accounts;
    this.consumer = new Consumer({
      ...options,
      name: 'webhooks',
      database: WEBHOOKS_DATABASE,
      types: ['MessageSent'],
      startAfter: async (checkpoint) => {
        if (checkpoint !== null) return checkpoint;
        const head = await eventStore.head();
        await this.consumer.storeCheckpoint(head);
        return head;
      },
      prepare: ({ events, position }) => (events.length > 0 ? this.accountsKnownThrough(position) : Promise.resolve()),
      // Most messages call no bot, and are not worth the decryption.
      concerns: ({ data }) => mayCall(data as unknown as OpenPart, directory),
      handle: (events, batch) => this.handle(events as unknown as readonly Recorded<MessageSent>[], batch),
      again: async (event) => {
        await this.accountsKnownThrough(event.position);
        await knownThrough(event.position, CALLS_READ, readModels);
        await this.consumer.attempt(event, () => this.queueCalls(event as unknown as Recorded<MessageSent>));
      },
    });
  }

  async start(): Promise<void> {
    await this.accounts.start();
    const { documentStore, warn } = this.options;
    this.database = await documentStore.database(CALLS_DATABASE);
    await this.database.ensure({ [TASKS]: { indexes: [...TASK_INDEXES] } });
    const { colouring } = this;
    const { directory } = this.accounts;
    const parts = { ...this.options, directory, signal: this.stopping.signal };
    const performer = new CallPerformer({ ...parts, replies: new BotReplies({ ...parts, colouring }) });
    this.opened = new TaskQueue<CallTask>({
      tasks: this.database.collection<CallTask>(TASKS),
      ...CALLS,
      perform: (task) => performer.perform(task),
      recordRefusal: (task) => performer.postFailure(task),
      warn,
    });
    this.opened.start();
    for (const botId of directory.allWebhookBots()) this.opened.openLane(laneOf(botId));
    await this.consumer.start();
  }

  async close(): Promise<void> {
    await this.consumer.close();
    this.stopping.abort();
    await this.opened?.close();
    await this.colouring.onApplicationShutdown();
    await this.accounts.close();
    await this.database?.close();
  }

  private async handle(events: readonly Recorded<MessageSent>[], batch: Batch): Promise<void> {
    if (events.length > 0) await knownThrough(batch.position, CALLS_READ, this.options.readModels);
    for (const event of events) {
      if (this.consumer.signal.aborted) return;
      await this.consumer.attempt(event, () => this.queueCalls(event));
      this.consumer.markHandled(event.position);
    }
    this.idle += batch.events.length;
    if (events.length === 0 && this.idle < MOST_IDLE) return;
    await this.consumer.storeCheckpoint(batch.position, batch.events.at(-1));
    this.idle = 0;
  }

  /** @throws UnavailableError if that takes too long: a bot may have been made just before the message */
  private async accountsKnownThrough(position: number): Promise<void> {
    await this.accounts.reach(position);
  }

  private async queueCalls({ data, revision }: Recorded<MessageSent>): Promise<void> {
    const { recipient } = data;
    const called = calledWebhooks(data, this.accounts.directory);
    const messageId = messageIdAt(revision);
    const channelId = recipient.type === 'channel' ? recipient.channelId : null;
    for (const { botId, trigger } of called) {
      if (!this.opened) throw new Error('the queue of calls is not started');
      const lane = laneOf(botId);
      const task = { _id: `${messageId}/${botId}`, lane, messageId, botId, trigger, channelId };
      await this.opened.add({ ...task, ...this.opened.entering() });
      this.opened.openLane(lane);
    }
  }
}
