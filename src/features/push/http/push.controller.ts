import { Controller, Delete, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, CallersKeyHash, commandContext } from '../../../directory/http/caller.decorator.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { AddPushToken } from '../domain/add-push-token.js';
import { RegisterPushDevice } from '../domain/register-push-device.js';
import { RemovePushToken } from '../domain/remove-push-token.js';
import { SendEncryptedTestNotification, SendTestNotification } from '../domain/send-test-notification.js';
import { PushServiceGuard, TestNotificationGuard } from './push.guards.js';
import {
  AppleTokenParameters,
  EncryptedTestNotificationParameters,
  PushTokenParameters,
  RegisterPushDeviceParameters,
  TestNotificationParameters,
} from './push.parameters.js';

@Controller()
export class PushController {
  constructor(private readonly commands: CommandBus) {}

  @Post('users/me/apns_device_token')
  async addApple(
    @Caller() caller: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters(AppleTokenParameters) { token, appid: appId }: AppleTokenParameters,
  ): Promise<void> {
    const by = commandContext(caller);
    await this.commands.execute(
      new AddPushToken({
        userId: caller.user._id,
        kind: 'apns',
        given: { token, appId },
        apiKeyId: apiKeyId(keyHash),
        by,
      }),
    );
  }

  @Delete('users/me/apns_device_token')
  async removeApple(
    @Caller() caller: Caller,
    @Parameters(PushTokenParameters) { token }: PushTokenParameters,
  ): Promise<void> {
    await this.commands.execute(
      new RemovePushToken({ userId: caller.user._id, kind: 'apns', token, by: commandContext(caller) }),
    );
  }

  @Post('users/me/android_gcm_reg_id')
  async addGoogle(
    @Caller() caller: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters(PushTokenParameters) { token }: PushTokenParameters,
  ): Promise<void> {
    const given = { token, appId: null };
    const by = commandContext(caller);
    await this.commands.execute(
      new AddPushToken({ userId: caller.user._id, kind: 'fcm', given, apiKeyId: apiKeyId(keyHash), by }),
    );
  }

  @Delete('users/me/android_gcm_reg_id')
  async removeGoogle(
    @Caller() caller: Caller,
    @Parameters(PushTokenParameters) { token }: PushTokenParameters,
  ): Promise<void> {
    await this.commands.execute(
      new RemovePushToken({ userId: caller.user._id, kind: 'fcm', token, by: commandContext(caller) }),
    );
  }

  @Post('mobile_push/test_notification')
  @UseGuards(TestNotificationGuard)
  async test(
    @Caller() caller: Caller,
    @Parameters(TestNotificationParameters) { token }: TestNotificationParameters,
  ): Promise<void> {
    await this.commands.execute(
      new SendTestNotification({ userId: caller.user._id, token: token ?? null, by: commandContext(caller) }),
    );
  }

  @Post('mobile_push/e2ee/test_notification')
  @UseGuards(TestNotificationGuard)
  async testEncrypted(
    @Caller() caller: Caller,
    @Parameters(EncryptedTestNotificationParameters) { push_account_id }: EncryptedTestNotificationParameters,
  ): Promise<void> {
    const accountId = push_account_id === null ? null : BigInt(push_account_id).toString();
    await this.commands.execute(
      new SendEncryptedTestNotification({
        userId: caller.user._id,
        pushAccountId: accountId,
        by: commandContext(caller),
      }),
    );
  }

  @Post('mobile_push/register')
  @UseGuards(PushServiceGuard)
  async register(
    @Caller() caller: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters(RegisterPushDeviceParameters) parameters: RegisterPushDeviceParameters,
  ): Promise<void> {
    const { push_account_id, token_kind, push_public_key, bouncer_public_key, encrypted_push_registration } =
      parameters;
    const registration = {
      publicKey: push_public_key,
      sealedUnder: bouncer_public_key,
      sealed: encrypted_push_registration,
    };
    const device = { pushAccountId: BigInt(push_account_id).toString(), kind: token_kind };
    const { _id: userId } = caller.user;
    const by = commandContext(caller);
    await this.commands.execute(
      new RegisterPushDevice({ userId, device, registration, apiKeyId: apiKeyId(keyHash), by }),
    );
  }
}
