import { Inject, Logger } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Facts } from '../../../directory/facts.js';
import { type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import { SITE } from '../../../platform/kernel/site.js';
import { PUSH_SENDER, type PushResult, type PushSender } from '../../../platform/push/push-sender.js';
import { RecordPushPermission } from '../../organization/domain/organization.js';
import { RemoveGonePushToken } from '../domain/push-tokens.js';
import { SendEncryptedTestNotification, SendTestNotification } from '../domain/send-test-notification.js';
import { RemovePushDevice } from '../domain/settle-push-device.js';
import { type TestNotification, testNotification } from '../notifications/notification.js';
import { tokensOf } from '../queries/own-devices.queries.js';
import { activeDevicesOf, sendSealed } from './push.handlers.js';

const log = new Logger('Push');

abstract class TestNotifications {
  constructor(
    protected readonly commands: CommandBus,
    protected readonly facts: Facts,
    @Inject(PUSH_SENDER) protected readonly sender: PushSender | null,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  protected notificationFor(userId: number): TestNotification {
    const origin = { realmUrl: this.site(), realmName: this.facts.directory.setting('name'), userId };
    return testNotification(origin, Math.floor(Date.now() / 1000));
  }

  /** Records what the service has said about the organization's right to push. */
  protected async recordPermission(by: CommandContext): Promise<void> {
    const said = this.sender?.newPermission();
    if (said)
      await this.commands.execute(
        new RecordPushPermission({ isAllowed: said.isAllowed, endsAt: said.endsAt, by: serverOf(by) }),
      );
  }

  protected requirePerson(userId: number): void {
    if (this.facts.directory.user(userId)?.bot) refuse('BOTS_NOT_ALLOWED');
  }
}

@CommandHandler(SendTestNotification)
export class SendTestNotificationHandler extends TestNotifications implements ICommandHandler<SendTestNotification> {
  async execute({ userId, token, by }: SendTestNotification): Promise<void> {
    const { sender } = this;
    this.requirePerson(userId);
    const all = await tokensOf([userId], this.facts.readModels);
    const given = (kind: string, known: string): boolean =>
      token === null || known === (kind === 'apns' ? token.toLowerCase() : token);
    const devices = all.filter((device) => given(device.kind, device.token));
    if (token !== null && devices.length === 0) refuse('INVALID_PUSH_DEVICE_TOKEN');
    if (sender === null) return;
    const { plain } = this.notificationFor(userId);
    const results = await Promise.all(
      devices.map(async (device) => {
        const result = await sender.sendTest(device, plain);
        if (result.outcome === 'gone')
          await this.commands.execute(new RemoveGonePushToken({ userId, keyId: device._id, by }));
        return result;
      }),
    );
    await this.recordPermission(by);
    if (results.length === 0 || results.some(({ outcome }) => outcome === 'sent')) return;
    report(results);
    if (results.some(isUnknownToBouncer)) refuse('INVALID_REMOTE_PUSH_DEVICE_TOKEN');
    if (results.every(({ outcome }) => outcome === 'gone')) {
      if (token !== null) refuse('INVALID_PUSH_DEVICE_TOKEN');
      return;
    }
    refuse('PUSH_SERVICE_FAILED');
  }
}

@CommandHandler(SendEncryptedTestNotification)
export class SendEncryptedTestNotificationHandler
  extends TestNotifications
  implements ICommandHandler<SendEncryptedTestNotification>
{
  async execute({ userId, pushAccountId, by }: SendEncryptedTestNotification): Promise<void> {
    const { sender } = this;
    this.requirePerson(userId);
    const all = await activeDevicesOf([userId], this.facts.readModels);
    const devices = pushAccountId === null ? all : all.filter((device) => device.pushAccountId === pushAccountId);
    if (devices.length === 0) refuse('NO_ACTIVE_PUSH_DEVICE');
    if (sender === null) return refuse('ADMIN_ACTION_REQUIRED');
    const notification = this.notificationFor(userId);
    const results = await Promise.all(
      devices.map(async (device) => {
        const result = await sendSealed(device, notification, sender);
        if (result.outcome === 'gone')
          await this.commands.execute(
            new RemovePushDevice({ userId, pushAccountId: device.pushAccountId, keyId: device.keyId, by }),
          );
        return result;
      }),
    );
    await this.recordPermission(by);
    if (results.some(({ outcome }) => outcome === 'sent')) return;
    report(results);
    if (results.every(({ outcome }) => outcome === 'gone')) refuse('NO_ACTIVE_PUSH_DEVICE');
    const later = results.find((result) => result.outcome === 'later');
    if (later) refuse(later.isUnreachable ? 'FAILED_TO_CONNECT_BOUNCER' : 'INTERNAL_SERVER_ERROR_ON_BOUNCER');
    refuse('ADMIN_ACTION_REQUIRED');
  }
}

const isUnknownToBouncer = (result: PushResult): boolean =>
  result.outcome === 'gone' && result.isUnknownToBouncer === true;

/** The service has said it, and not the caller. */
const serverOf = ({ correlationId }: CommandContext): CommandContext => ({
  actorId: null,
  client: 'annals',
  correlationId,
});

/** Tells the operator what the caller is not told. */
function report(results: readonly PushResult[]): void {
  for (const result of results) if ('reason' in result) log.warn(`a test notification was not sent: ${result.reason}`);
}
