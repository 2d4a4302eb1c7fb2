import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import { type DirectoryParts, FollowedDirectory } from '../../../directory/followed-directory.js';
import type { MessageDeleted, MessageEdited } from '../../../events/messages/message.events.js';
import { type MessageSent, messageIdAt } from '../../../events/messages/messages.events.js';
import { isMoved, type MessagesMoved } from '../../../events/messages/topics.events.js';
import type { PushDeviceRegistered, PushTokenAdded, PushTokenRemoved } from '../../../events/push/push.events.js';
import type { AllMessagesRead, FlagsAdded } from '../../../events/read-state/read-state.events.js';
import type { UserDeactivated } from '../../../events/users/users.events.js';
import type { FollowerParts, OpenFollower } from '../../../platform/consumers/follower.js';
import { type Effect, type EffectTasks, QueuedEffect } from '../../../platform/consumers/queued-effect.js';
import type { DocumentDatabase } from '../../../platform/documents/document-store.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { PushSender } from '../../../platform/push/push-sender.js';
import type { TaskResult } from '../../../platform/tasks/task.js';
import { PresenceBoard } from '../../presence/services/presence-board.js';
import { activeDevicesOf } from '../commands/push.handlers.js';
import { MOST_REMOVED } from '../notifications/message-notification.js';
import { tokensOf } from '../queries/own-devices.queries.js';
import { MessageReaders } from './message-readers.js';
import { PushPermissions } from './push-permission.js';
import { type MessageTask, PUSHES, type Task } from './push-tasks.js';
import { TaskPerformer } from './task-performer.js';
import { REGISTERED_TOKENS, type RegisteredToken, TokenRegistrations } from './token-registrations.js';

/** Users whose devices are looked up at once. */
const PAGE = 500;
/** A topic that moves as a whole may have any message. */
const FIRST_MESSAGE_ID = 1;

type PusherParts = FollowerParts & DirectoryParts & { readonly sender: PushSender };
type TokenChange = PushTokenAdded | PushTokenRemoved | UserDeactivated;
type PushedEvent =
  | MessageSent
  | MessageEdited
  | MessageDeleted
  | MessagesMoved
  | FlagsAdded
  | AllMessagesRead
  | PushDeviceRegistered
  | TokenChange;

export const openPusher = (parts: PusherParts): OpenFollower =>
  new QueuedEffect<Task, PushedEvent>(PUSHES, parts, (tasks) => new Pusher(parts, tasks));

/** Pushes messages to mobile devices. A notification has an id made of the message and the device. */
class Pusher implements Effect<Task, PushedEvent> {
  readonly facts: FollowedDirectory;
  readonly on: Effect<Task, PushedEvent>['on'] = {
    MessageSent: ({ revision }) => this.push(messageIdAt(revision)),
    MessageEdited: ({ data }) => this.push(data.messageId),
    MessageDeleted: (event) => this.withdraw(event, { messageId: event.data.messageId }),
    MessagesMoved: (event) => this.onMoved(event),
    FlagsAdded: async (event) => {
      const { userId, flag, ranges } = event.data;
      if (flag !== 'read') return;
      for (const [from, to] of ranges) await this.withdraw(event, { userId, messageId: { $gte: from, $lte: to } });
    },
    AllMessagesRead: (event) =>
      this.withdraw(event, { userId: event.data.userId, sentPosition: { $lt: event.position } }),
    PushDeviceRegistered: ({ data: { userId, pushAccountId, keyId, kind: lane } }) =>
      this.tasks.add({ _id: `register/${keyId}`, kind: 'registration', lane, userId, pushAccountId, keyId }),
    PushTokenAdded: (event) => this.tell(event),
    PushTokenRemoved: (event) => this.tell(event),
    UserDeactivated: (event) => this.tell(event),
  };
  private readonly readers: MessageReaders;
  private readonly permissions: PushPermissions;
  private presence: PresenceBoard | null = null;
  private performer: TaskPerformer | null = null;
  /** null: the service has no record of tokens. */
  private registrations: TokenRegistrations | null = null;

  constructor(
    private readonly parts: PusherParts,
    private readonly tasks: EffectTasks<Task>,
  ) {
    this.facts = new FollowedDirectory(parts, directoryProjection);
    const { directory } = this.facts;
    this.readers = new MessageReaders(directory, parts.readModels, () => this.presence);
    const hasOrganization = (): boolean => directory.organization !== null;
    this.permissions = new PushPermissions({ ...parts, warn: tasks.warn, hasOrganization });
  }

  async start(database: DocumentDatabase): Promise<void> {
    const { parts, readers, permissions } = this;
    const { directory } = this.facts;
    const { warn } = this.tasks;
    this.presence = await PresenceBoard.open({
      store: parts.documentStore,
      bus: parts.bus,
      onFailure: (error) => warn(`presence is not known: ${String(error)}`),
    });
    await database.ensure({ [REGISTERED_TOKENS]: { indexes: [{ keys: { userId: 1 } }] } });
    const { registry } = parts.sender;
    const registered = database.collection<RegisteredToken>(REGISTERED_TOKENS);
    const registrations = registry ? new TokenRegistrations({ ...parts, registry, registered, directory }) : null;
    this.registrations = registrations;
    this.performer = new TaskPerformer({ ...parts, directory, readers, permissions, registrations });
    permissions.start();
  }

  async perform(task: Task, isLastTry: boolean): Promise<TaskResult<Task>> {
    if (!this.performer) throw new Error('the pusher is not started');
    return this.performer.perform(task, isLastTry);
  }

  /** Removes a message from the device that was withdrawn while it was being sent. */
  async finished(task: Task): Promise<void> {
    if (task.kind === 'message' && task.withdrawn && task.shown) await this.addRemoval([task], `late/${task._id}`);
  }

  async close(): Promise<void> {
    await this.permissions.close();
    await this.presence?.onApplicationShutdown();
  }

  private async tell(event: Recorded<TokenChange>): Promise<void> {
    if (this.registrations) await this.tasks.add(this.registrations.taskFor(event));
  }

  /** Queues a message for the devices of its readers, and takes it back from readers who have no reason any more. */
  private async push(messageId: number): Promise<void> {
    const { readModels } = this.parts;
    const message = await this.readers.message(messageId);
    if (!message || message.text === null) return;
    const readers = new Map((await this.readers.of(message)).map((reader) => [reader.userId, reader]));
    const lost = (await this.known({ messageId })).filter(({ userId }) => !readers.has(userId));
    await this.withdrawAll(lost, `unmention/${message.position}`);
    const ids = [...readers.keys()];
    for (let n = 0; n < ids.length; n += PAGE) {
      const page = ids.slice(n, n + PAGE);
      const tokens = await tokensOf(page, readModels);
      const active = await activeDevicesOf(page, readModels);
      const devices = [
        ...tokens.map(({ _id: keyId, userId, kind: lane }) => ({ keyId, userId, lane, form: 'token' as const })),
        ...active.map(({ keyId, userId, kind: lane }) => ({ keyId, userId, lane, form: 'device' as const })),
      ];
      for (const device of devices) {
        const reader = readers.get(device.userId);
        if (!reader || !(await this.readers.isUnread(device.userId, message))) continue;
        await this.tasks.add({
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
    const lost: MessageTask[] = [];
    for (const task of await this.known({ messageId })) {
      if (!task.shown || !isMoved(event.data, task.messageId)) continue;
      const message = await this.readers.message(task.messageId);
      if (!message || !(await this.readers.isUnread(task.userId, message))) lost.push(task);
    }
    await this.withdrawAll(lost, String(event.position));
  }

  private async withdraw({ position }: Recorded, filter: Record<string, unknown>): Promise<void> {
    await this.withdrawAll(await this.known(filter), String(position));
  }

  /** Finds messages that were not withdrawn. */
  private async known(filter: Record<string, unknown>): Promise<readonly MessageTask[]> {
    const tasks = (await this.tasks.queue.tasks.find({ ...filter, kind: 'message' })) as readonly MessageTask[];
    return tasks.filter(({ withdrawn }) => !withdrawn);
  }

  /** Drops messages that wait, and removes those that devices show. */
  private async withdrawAll(tasks: readonly MessageTask[], cause: string): Promise<void> {
    const byDevice = new Map<string, MessageTask[]>();
    for (const task of tasks) if (task.shown) byDevice.set(task.keyId, [...(byDevice.get(task.keyId) ?? []), task]);
    for (const shown of byDevice.values()) await this.addRemoval(shown, cause);
    for (const task of tasks) {
      const now = (await this.tasks.queue.finish(task, { withdrawn: true })) as MessageTask;
      if (!task.shown) await this.finished(now);
    }
  }

  private async addRemoval(shown: readonly MessageTask[], cause: string): Promise<void> {
    const [first] = shown;
    if (!first) return;
    const { lane, userId, form, keyId } = first;
    const sorted = shown.map(({ messageId }) => messageId).sort((a, b) => a - b);
    const messageIds = sorted.slice(-MOST_REMOVED);
    await this.tasks.add({ _id: `removal/${cause}/${keyId}`, kind: 'removal', lane, userId, form, keyId, messageIds });
  }
}
