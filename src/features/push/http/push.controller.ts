import { Controller, Delete, Post, UseGuards } from '@nestjs/common';
import { Caller, CallersKeyHash } from '../../../directory/http/caller.decorator.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { AddPushToken } from '../domain/add-push-token.js';
import { RegisterPushDevice } from '../domain/register-push-device.js';
import { RemovePushToken } from '../domain/remove-push-token.js';
import { SendEncryptedTestNotification, SendTestNotification } from '../domain/send-test-notification.js';
import { PushServiceGuard, TestNotificationGuard } from './push.guard.js';
import {
  AppleTokenParameters,
  EncryptedTestNotificationParameters,
  PushTokenParameters,
  RegisterPushDeviceParameters,
  TestNotificationParameters,
} from './push.parameters.js';

@Controller()
export class PushController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post('users/me/apns_device_token')
  async addApple(
    @Caller() { user, by }: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters() { token, appid: appId }: AppleTokenParameters,
  ): Promise<void> {
    await this.dispatch.do(
      new AddPushToken({ userId: user._id, kind: 'apns', given: { token, appId }, apiKeyId: apiKeyId(keyHash), by }),
    );
  }

  @Delete('users/me/apns_device_token')
  async removeApple(@Caller() { user, by }: Caller, @Parameters() { token }: PushTokenParameters): Promise<void> {
    await this.dispatch.do(new RemovePushToken({ userId: user._id, kind: 'apns', token, by }));
  }

  @Post('users/me/android_gcm_reg_id')
  async addGoogle(
    @Caller() { user, by }: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters() { token }: PushTokenParameters,
  ): Promise<void> {
    const given = { token, appId: null };
    await this.dispatch.do(new AddPushToken({ userId: user._id, kind: 'fcm', given, apiKeyId: apiKeyId(keyHash), by }));
  }

  @Delete('users/me/android_gcm_reg_id')
  async removeGoogle(@Caller() { user, by }: Caller, @Parameters() { token }: PushTokenParameters): Promise<void> {
    await this.dispatch.do(new RemovePushToken({ userId: user._id, kind: 'fcm', token, by }));
  }

  @Post('mobile_push/test_notification')
  @UseGuards(TestNotificationGuard)
  async test(@Caller() { user, by }: Caller, @Parameters() { token }: TestNotificationParameters): Promise<void> {
    await this.dispatch.do(new SendTestNotification({ userId: user._id, token: token ?? null, by }));
  }

  @Post('mobile_push/e2ee/test_notification')
  @UseGuards(TestNotificationGuard)
  async testEncrypted(
    @Caller() { user, by }: Caller,
    @Parameters() { push_account_id }: EncryptedTestNotificationParameters,
  ): Promise<void> {
    const accountId = push_account_id === null ? null : BigInt(push_account_id).toString();
    await this.dispatch.do(new SendEncryptedTestNotification({ userId: user._id, pushAccountId: accountId, by }));
  }

  @Post('mobile_push/register')
  @UseGuards(PushServiceGuard)
  async register(
    @Caller() { user, by }: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters() parameters: RegisterPushDeviceParameters,
  ): Promise<void> {
    const { push_account_id, token_kind, push_public_key, bouncer_public_key, encrypted_push_registration } =
      parameters;
    const registration = {
      publicKey: push_public_key,
      sealedUnder: bouncer_public_key,
      sealed: encrypted_push_registration,
    };
    const device = { pushAccountId: BigInt(push_account_id).toString(), kind: token_kind };
    const { _id: userId } = user;
    await this.dispatch.do(new RegisterPushDevice({ userId, device, registration, apiKeyId: apiKeyId(keyHash), by }));
  }
}
