import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { type DirectoryParts, FollowedDirectory } from '../../../directory/followed-directory.js';
import type { MessageEvent } from '../../../events/messages/message.events.js';
import { type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import { isMoved, type MessagesMoved } from '../../../events/messages/topics.events.js';
import type { PushDeviceRegistered, PushTokenAdded, PushTokenRemoved } from '../../../events/push/push.events.js';
import type { ReadStateEvent } from '../../../events/read-state/read-state.events.js';
import type { UserDeactivated } from '../../../events/users/users.events.js';
import type { Bus } from '../../../platform/bus/bus.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Consumer, type ConsumerSetting } from '../../../platform/consumers/consumer.js';
import { knownThrough } from '../../../platform/consumers/known-documents.js';
import type { DocumentDatabase } from '../../../platform/documents/document-store.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { Batch } from '../../../platform/log/event-store.js';
import type { PushSender } from '../../../platform/push/push-sender.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import type { NewTask } from '../../../platform/tasks/task.js';
import { TASK_INDEXES, TaskQueue } from '../../../platform/tasks/task-queue.js';
import { PresenceBoard } from '../../presence/queries/presence-board.js';
import { activeDevicesOf } from '../commands/known-devices.js';
import { MOST_REMOVED } from '../notifications/message-notification.js';
import { tokensOf } from '../queries/devices-of.js';
import { MessageReaders } from './message-readers.js';
import { PushPermissions } from './push-permission.js';
import { JUDGED_BY, type MessageTask, PUSHER_DATABASE, PUSHES, type Task } from './push-tasks.js';
import { TaskPerformer } from './task-performer.js';
import { TOLD_TOKENS, TokenRegistrations, type ToldToken } from './token-registrations.js';

/** The database of the queue. Rebuilds leave it and the checkpoint's alone. */
const PUSHES_DATABASE = 'pushes';
const TASKS = 'tasks';

/** Users whose devices are looked up at once. */
const PAGE = 500;
/** A topic that moves as a whole may have any message. */
const FIRST_MESSAGE_ID = 1;

export interface PusherOptions extends ConsumerSetting, DirectoryParts {
  readonly sender: PushSender;
  readonly bus: Bus;
  readonly readModels: ReadModels;
  readonly runner: CommandRunner;
  readonly site: () => string;
  readonly warn: (line: string) => void;
}

type TokenChange = PushTokenAdded | PushTokenRemoved | UserDeactivated;
type PushedEvent = Recorded<
  MessageSent | MessageEvent | MessagesMoved | ReadStateEvent | PushDeviceRegistered | TokenChange
>;

const TYPES: readonly PushedEvent['type'][] = [
  'MessageSent',
  'MessageEdited',
  'MessageDeleted',
  'MessagesMoved',
  'FlagsAdded',
  'AllMessagesRead',
  'PushDeviceRegistered',
  'PushTokenAdded',
  'PushTokenRemoved',
  'UserDeactivated',
];

/**
 * Pushes messages to mobile devices (D16). It follows the log and writes what is to be sent into a queue, in which each
 * notification has an id made of the message and the device: an event that is handled again adds nothing. Without a
 * checkpoint, it starts at the log's end.
 */
export class Pusher {
  private readonly consumer: Consumer;
  private readonly accounts: FollowedDirectory;
  private readonly readers: MessageReaders;
  private readonly permissions: PushPermissions;
  private presence: PresenceBoard | null = null;
  private database: DocumentDatabase | null = null;
  private opened: TaskQueue<Task> | null = null;
  /** null: the service has no record of tokens. */
  private registrations: TokenRegistrations | null = null;

  constructor(private readonly options: PusherOptions) {
    const { eventStore, readModels } = options;
    this.accounts = new FollowedDirectory(options, directoryProjection);
    const { directory } = this.accounts;
    this.readers = new MessageReaders(directory, readModels, () => this.presence);
    this.permissions = new PushPermissions({
      ...options,
      hasOrganization: () => directory.organization !== null,
    });
    this.consumer = new Consumer({
      ...options,
      name: 'push',
      database: PUSHER_DATABASE,
      types: TYPES,
      startAfter: async (checkpoint) => {
        if (checkpoint !== null) return checkpoint;
        const head = await eventStore.head();
        await this.consumer.storeCheckpoint(head);
        return head;
      },
      handle: (events, batch) => this.handle(events as unknown as readonly PushedEvent[], batch),
      again: (event) => this.handleAgain(event as unknown as PushedEvent),
    });
  }

  async start(): Promise<void> {
    await this.accounts.start();
    const { documentStore, bus, warn } = this.options;
    this.presence = await PresenceBoard.open({
      store: documentStore,
      bus,
      onFailure: (error) => warn(`presence is not known: ${String(error)}`),
    });
    this.database = await documentStore.database(PUSHES_DATABASE);
    await this.database.ensure({
      [TASKS]: { indexes: [...TASK_INDEXES, { keys: { userId: 1, messageId: 1 } }, { keys: { messageId: 1 } }] },
      [TOLD_TOKENS]: { indexes: [{ keys: { userId: 1 } }] },
    });
    const { readers, permissions } = this;
    const { directory } = this.accounts;
    const { registry } = this.options.sender;
    const told = this.database.collection<ToldToken>(TOLD_TOKENS);
    const registrations = registry ? new TokenRegistrations({ ...this.options, registry, told, directory }) : null;
    this.registrations = registrations;
    const performer = new TaskPerformer({ ...this.options, directory, readers, permissions, registrations });
    this.opened = new TaskQueue<Task>({
      tasks: this.database.collection<Task>(TASKS),
      ...PUSHES,
      perform: (task, isLastTry) => performer.perform(task, isLastTry),
      finished: (task) => this.withdrawLate(task),
      warn,
    });
    this.opened.start();
    this.permissions.start();
    await this.consumer.start();
  }

  async close(): Promise<void> {
    await this.consumer.close();
    await this.opened?.close();
    await this.permissions.close();
    await this.presence?.onApplicationShutdown();
    await this.accounts.close();
    await this.database?.close();
  }

  private get queue(): TaskQueue<Task> {
    if (!this.opened) throw new Error('the queue of notifications is not started');
    return this.opened;
  }

  private add(task: NewTask<Task>): Promise<void> {
    return this.queue.add({ ...task, ...this.queue.entering() });
  }

  private async handle(events: readonly PushedEvent[], batch: Batch): Promise<void> {
    if (events.length > 0) await this.knownThrough(batch.position);
    for (const event of events) {
      if (this.consumer.signal.aborted) return;
      await this.consumer.attempt(event, () => this.handleOne(event));
      this.consumer.markHandled(event.position);
    }
    if (events.length === 0) return;
    await this.consumer.storeCheckpoint(batch.position, batch.events.at(-1));
    this.queue.wake();
  }

  private async handleAgain(event: PushedEvent): Promise<void> {
    await this.knownThrough(event.position);
    await this.consumer.attempt(event, () => this.handleOne(event));
    this.queue.wake();
  }

  private async knownThrough(position: Position): Promise<void> {
    await knownThrough(position, JUDGED_BY, this.options.readModels);
    await this.accounts.reach(position);
  }

  private async handleOne(event: PushedEvent): Promise<void> {
    switch (event.type) {
      case 'MessageSent':
        return this.push(messageIdAt(event.revision));
      case 'MessageEdited':
        return this.push(event.data.messageId);
      case 'MessageDeleted':
        return this.withdraw(event, { messageId: event.data.messageId });
      case 'MessagesMoved':
        return this.onMoved(event);
      case 'FlagsAdded': {
        const { userId, flag, ranges } = event.data;
        if (flag !== 'read') return;
        for (const [from, to] of ranges) await this.withdraw(event, { userId, messageId: { $gte: from, $lte: to } });
        return;
      }
      case 'AllMessagesRead':
        return this.withdraw(event, { userId: event.data.userId, sentPosition: { $lt: event.position } });
      case 'PushDeviceRegistered': {
        const { userId, pushAccountId, keyId, kind: lane } = event.data;
        return this.add({ _id: `register/${keyId}`, kind: 'registration', lane, userId, pushAccountId, keyId });
      }
      case 'PushTokenAdded':
      case 'PushTokenRemoved':
      case 'UserDeactivated':
        if (this.registrations) await this.add(this.registrations.taskFor(event));
        return;
    }
  }

  /** Queues a message for the devices of its readers, and takes it back from readers who have no reason any more. */
  private async push(messageId: number): Promise<void> {
    const message = await this.readers.message(messageId);
    if (!message || message.text === null) return;
    const readers = new Map((await this.readers.of(message)).map((reader) => [reader.userId, reader]));
    const known = (await this.queue.tasks.find({ messageId })) as readonly MessageTask[];
    const lost = known.filter(({ userId, withdrawn }) => !withdrawn && !readers.has(userId));
    await this.withdrawAll(lost, `unmention/${message.position}`);
    const ids = [...readers.keys()];
    for (let n = 0; n < ids.length; n += PAGE) {
      const page = ids.slice(n, n + PAGE);
      const devices = [
        ...(await tokensOf(page, this.options.readModels)).map(({ _id: keyId, userId, kind }) => ({
          keyId,
          userId,
          lane: kind,
          form: 'token' as const,
        })),
        ...(await activeDevicesOf(page, this.options.readModels)).map(({ keyId, userId, kind }) => ({
          keyId,
          userId,
          lane: kind,
          form: 'device' as const,
        })),
      ];
      for (const device of devices) {
        const reader = readers.get(device.userId);
        if (!reader || !(await this.readers.isUnread(device.userId, message))) continue;
        await this.add({
          ...device,
          _id: `message/${messageId}/${device.keyId}`,
          kind: 'message',
          messageId,
          sentPosition: message.sentPosition,
          trigger: reader.trigger,
          groupId: reader.groupId,
        });
      }
    }
  }

  /** Takes messages back from readers who may not read them in their new channel. */
  private async onMoved(event: Recorded<MessagesMoved>): Promise<void> {
    const { from, to, propagateMode, anchorId } = event.data;
    if (from.channelId === to.channelId) return;
    const messageId = { $gte: propagateMode === 'change_all' ? FIRST_MESSAGE_ID : anchorId };
    const tasks = (await this.queue.tasks.find({ messageId, kind: 'message' })) as readonly MessageTask[];
    const lost: MessageTask[] = [];
    for (const task of tasks) {
      if (task.withdrawn || !task.shown || !isMoved(event.data, task.messageId)) continue;
      const message = await this.readers.message(task.messageId);
      if (!message || !(await this.readers.isUnread(task.userId, message))) lost.push(task);
    }
    await this.withdrawAll(lost, String(event.position));
  }

  private async withdraw(event: PushedEvent, filter: Record<string, unknown>): Promise<void> {
    const tasks = (await this.queue.tasks.find({ ...filter, kind: 'message' })) as readonly MessageTask[];
    await this.withdrawAll(
      tasks.filter(({ withdrawn }) => !withdrawn),
      String(event.position),
    );
  }

  /** Drops messages that wait, and removes those that devices show. */
  private async withdrawAll(tasks: readonly MessageTask[], cause: string): Promise<void> {
    const byDevice = new Map<string, MessageTask[]>();
    for (const task of tasks) if (task.shown) byDevice.set(task.keyId, [...(byDevice.get(task.keyId) ?? []), task]);
    for (const shown of byDevice.values()) await this.addRemoval(shown, cause);
    for (const task of tasks) {
      const now = (await this.queue.finish(task, { withdrawn: true })) as MessageTask;
      if (!task.shown) await this.withdrawLate(now);
    }
  }

  /** A message that was withdrawn while it was being sent is removed from the device. */
  private async withdrawLate(task: Task): Promise<void> {
    if (task.kind !== 'message' || !task.withdrawn || !task.shown) return;
    await this.addRemoval([task], `late/${task._id}`);
    this.queue.wake();
  }

  private async addRemoval(shown: readonly MessageTask[], cause: string): Promise<void> {
    const [first] = shown;
    if (!first) return;
    const { lane, userId, form, keyId } = first;
    const messageIds = shown.map(({ messageId }) => messageId).sort((a, b) => a - b);
    await this.add({
      _id: `removal/${cause}/${keyId}`,
      kind: 'removal',
      lane,
      userId,
      form,
      keyId,
      messageIds: messageIds.slice(-MOST_REMOVED),
    });
  }
}
