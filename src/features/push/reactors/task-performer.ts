import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import {
  PUSH_DEVICES,
  PUSH_TOKENS,
  type PushDeviceDocument,
  type PushTokenDocument,
  pushDevices,
} from '../../../../projections/push-devices/push-devices.projection.js';
import { avatarUrlOn } from '../../../directory/avatars.js';
import type { Directory } from '../../../directory/directory.js';
import { accountOf } from '../../../directory/system-bots.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import type { PushEvent } from '../../../events/push/push.events.js';
import type { FollowerParts } from '../../../platform/consumers/follower.js';
import type { CommandContext, Decide } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { later, type PushResult, type PushSender, SENT } from '../../../platform/push/push-sender.js';
import { itemId } from '../../../platform/read-models/user-list.js';
import type { TaskResult } from '../../../platform/tasks/task.js';
import { registeredDevice, sendSealed } from '../commands/push.handlers.js';
import { type PushState, pushState } from '../domain/push.state.js';
import { decideRemoveGonePushToken, RemoveGonePushToken } from '../domain/push-tokens.js';
import {
  decideRemovePushDevice,
  decideSettlePushDevice,
  RemovePushDevice,
  SettlePushDevice,
} from '../domain/settle-push-device.js';
import { messageNotification, removeNotification } from '../notifications/message-notification.js';
import type { Notification, PushOrigin } from '../notifications/notification.js';
import { plainText } from '../notifications/plain-text.js';
import type { MessageReaders } from './message-readers.js';
import type { PushPermissions } from './push-permission.js';
import type { AccountTask, MessageTask, RegistrationTask, RemovalTask, Task, TokenTask } from './push-tasks.js';
import type { TokenRegistrations } from './token-registrations.js';

interface TaskPerformerOptions extends Pick<FollowerParts, 'readModels' | 'runner' | 'site'> {
  readonly sender: PushSender;
  readonly directory: Directory;
  readonly readers: MessageReaders;
  readonly permissions: PushPermissions;
  /** null: the service has no record of tokens. */
  readonly registrations: TokenRegistrations | null;
}

const DONE = { outcome: 'done' } as const;

/** Tries one task of the queue. */
export class TaskPerformer {
  constructor(private readonly options: TaskPerformerOptions) {}

  async perform(task: Task, isLastTry: boolean): Promise<TaskResult<Task>> {
    const result = await this.performOne(task, isLastTry);
    await this.options.permissions.record();
    return result;
  }

  private performOne(task: Task, isLastTry: boolean): Promise<TaskResult<Task>> {
    switch (task.kind) {
      case 'message':
        return this.sendMessage(task);
      case 'removal':
        return this.remove(task);
      case 'registration':
        return this.register(task, isLastTry);
      case 'token-addition':
      case 'token-removal':
      case 'account-removal':
        return this.tell(task, isLastTry);
    }
  }

  private async sendMessage(task: MessageTask): Promise<TaskResult<Task>> {
    const { readers, directory } = this.options;
    const message = await readers.message(task.messageId);
    if (!message || message.text === null || !(await readers.isUnread(task.userId, message))) return DONE;
    const hidesContent = directory.setting('require_e2ee_push_notifications');
    const notification = messageNotification(this.originFor(task.userId), this.pushed(message, task), hidesContent);
    const result = await this.send(task, notification);
    return result.outcome === 'later' || result.outcome === 'interrupted'
      ? result
      : { ...result, changes: { shown: true } };
  }

  private remove(task: RemovalTask): Promise<TaskResult<Task>> {
    const last = task.messageIds.at(-1) ?? 0;
    return this.send(task, removeNotification(this.originFor(task.userId), task.messageIds, `r${last}`));
  }

  private async send(task: MessageTask | RemovalTask, notification: Notification): Promise<TaskResult<Task>> {
    const { sender, readModels } = this.options;
    const { userId, keyId } = task;
    if (task.form === 'token') {
      const token = await readModels.collection<PushTokenDocument>(pushDevices, PUSH_TOKENS).findOne({ _id: keyId });
      if (!token) return DONE;
      const registration = (await this.options.registrations?.add({ userId, keyId })) ?? SENT;
      if (registration.outcome !== 'sent') return this.taskResult(registration);
      const result = await sender.sendPlain(token, notification.plain);
      // A token that was added after the service lost it is known to the service again.
      if (result.outcome === 'gone' && (result.at ?? token.addedAt) >= token.addedAt)
        await this.decide(userId, decideRemoveGonePushToken, new RemoveGonePushToken({ userId, keyId, by: this.by() }));
      return this.taskResult(result);
    }
    const devices = readModels.collection<PushDeviceDocument>(pushDevices, PUSH_DEVICES);
    const [device] = await devices.find({ userId, keyId, status: 'active' });
    if (!device?.registration) return DONE;
    const { registration, pushAccountId } = device;
    const result = await sendSealed({ ...device, registration }, notification, sender);
    if (result.outcome === 'gone') {
      const command = new RemovePushDevice({ userId, pushAccountId, keyId, by: this.by() });
      await this.decide(userId, decideRemovePushDevice, command);
    }
    return this.taskResult(result);
  }

  private async tell(task: TokenTask | AccountTask, isLastTry: boolean): Promise<TaskResult<Task>> {
    const { registrations } = this.options;
    // The settings have changed: this service keeps no record.
    if (!registrations) return DONE;
    if (task.kind === 'account-removal') return this.taskResult(await registrations.removeAll(task));
    const isAddition = task.kind === 'token-addition';
    return this.taskResult(await (isAddition ? registrations.add(task) : registrations.remove(task, isLastTry)));
  }

  private async register(task: RegistrationTask, isLastTry: boolean): Promise<TaskResult<Task>> {
    const { sender, readModels } = this.options;
    const { userId, pushAccountId, keyId } = task;
    const _id = itemId(userId, pushAccountId);
    const device = await readModels.collection<PushDeviceDocument>(pushDevices, PUSH_DEVICES).findOne({ _id });
    if (device?.status !== 'pending' || device.keyId !== keyId || !device.registration) return DONE;
    const { registration } = device;
    const result = isLastTry
      ? ({ outcome: 'refused', errorCode: 'REQUEST_EXPIRED' } as const)
      : await sender.register(registeredDevice({ ...device, registration }));
    if (result.outcome === 'later' || result.outcome === 'misconfigured') return this.taskResult(result);
    const outcome = result.outcome === 'registered' ? { deviceId: result.deviceId } : { errorCode: result.errorCode };
    const command = new SettlePushDevice({ userId, pushAccountId, keyId, outcome, by: this.by() });
    await this.decide(userId, decideSettlePushDevice, command);
    return DONE;
  }

  private taskResult(result: PushResult): TaskResult<Task> {
    if (result.outcome === 'sent' || result.outcome === 'gone') return DONE;
    return result.outcome === 'misconfigured' ? later(result.reason) : result;
  }

  private async decide<Command extends { readonly by: CommandContext }, Decided extends PushEvent>(
    userId: number,
    decide: Decide<Command, PushState, Decided>,
    command: Command,
  ): Promise<void> {
    const stream = personalStream(userId);
    const { by } = command;
    const context = undefined;
    await this.options.runner.decide({ stream, decider: pushState, expects: 'any', decide, command, context, by });
  }

  private by(): CommandContext {
    return { actorId: null, client: 'annals', correlationId: newEventId() };
  }

  private originFor(userId: number): PushOrigin {
    const { directory, site } = this.options;
    return { realmUrl: site(), realmName: directory.setting('name'), userId };
  }

  private pushed(message: MessageDocument, { userId, trigger, groupId }: MessageTask) {
    const { directory } = this.options;
    const sender = accountOf(message.senderId, directory);
    if (!sender) throw new Error('the sender is not known yet');
    const group = groupId === null ? undefined : directory.groups.group(groupId);
    return {
      id: message._id,
      time: Math.floor(message.sentAt / 1000),
      content: plainText(message.rendered ?? ''),
      sender: {
        id: sender._id,
        email: sender.email,
        name: sender.fullName,
        avatarUrl: avatarUrlOn(this.options.site(), sender),
      },
      to:
        message.type === 'channel'
          ? {
              type: 'channel' as const,
              id: message.channelId,
              name: directory.channel(message.channelId)?.name ?? '',
              topic: message.topic,
            }
          : {
              type: 'direct' as const,
              userIds: message.participants,
              names: message.participants
                .filter((id) => id !== userId)
                .map((id) => directory.user(id)?.fullName ?? '')
                .sort(),
            },
      trigger,
      group: group ? { id: group._id, name: group.name } : null,
    };
  }
}
