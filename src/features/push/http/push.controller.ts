import { Controller, Delete, Get, Post, UseGuards } from '@nestjs/common';
import { IsIn, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { Caller, CallersKeyHash } from '../../../directory/http/caller.decorator.js';
import type { TokenKind } from '../../../events/push/push.events.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { OptionalText, TextOrNull } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { isPublicBoxKey } from '../../../platform/push/box-key.js';
import { RegisterPushDevice, RemoveOwnDevice } from '../domain/push-devices.js';
import { AddPushToken, RemovePushToken } from '../domain/push-tokens.js';
import { SendEncryptedTestNotification, SendTestNotification } from '../domain/send-test-notification.js';
import { GetOwnDevices } from '../queries/own-devices.queries.js';
import { PushServiceGuard, TestNotificationGuard } from './push.guard.js';

const LEAST_ID = -(2n ** 63n);
const GREATEST_ID = 2n ** 63n - 1n;

/** The bouncer, or this server in its place, judges what is in these texts. Only their length is bounded here. */
const MAX_KEY_LENGTH = 1000;
const MAX_BOX_LENGTH = 16_384;

const Passes = (name: string, validate: (value: unknown) => boolean, complaint: string): PropertyDecorator =>
  ValidateBy({ name, validator: { validate } }, { message: `$property ${complaint}` });

const isAccountId = (value: unknown): boolean => {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const id = BigInt(value);
  return id >= LEAST_ID && id <= GREATEST_ID;
};

const IsAccountId = (): PropertyDecorator => Passes('isAccountId', isAccountId, 'is not an integer of 64 bits');

const IsPublicBoxKey = (): PropertyDecorator =>
  Passes('isPublicBoxKey', isPublicBoxKey, 'is not a public X25519 key in standard base64');

/** `DELETE /users/me/apns_device_token`, `POST`/`DELETE /users/me/android_gcm_reg_id` */
class PushTokenParameters {
  @IsString() readonly token!: string;
}

/** `POST /users/me/apns_device_token` */
class AppleTokenParameters extends PushTokenParameters {
  @IsString() readonly appid!: string;
}

/** `POST /mobile_push/test_notification` */
class TestNotificationParameters {
  @OptionalText() readonly token?: string;
}

/** `POST /mobile_push/e2ee/test_notification` */
class EncryptedTestNotificationParameters {
  /** Decimal text, as in RegisterPushDeviceParameters. Absent or null: all devices. */
  @TextOrNull() @IsOptional() @IsAccountId() readonly push_account_id: string | null = null;
}

/** `POST /mobile_push/register` */
class RegisterPushDeviceParameters {
  @IsIn(['fcm', 'apns']) readonly token_kind!: TokenKind;

  /** Decimal text: the integer may exceed what a number can hold. */
  @IsAccountId() readonly push_account_id!: string;

  @IsPublicBoxKey() readonly push_public_key!: string;

  /** Of any form: a wrong key ends in the event `push_device`, and not in a refusal. */
  @IsString() @MaxLength(MAX_KEY_LENGTH) readonly bouncer_public_key!: string;

  /** Of any form, like the key. */
  @IsString() @MaxLength(MAX_BOX_LENGTH) readonly encrypted_push_registration!: string;
}

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

/** Lists the mobile devices of the caller and removes them one by one. */
@Controller('users/me/push_devices')
export class OwnDevicesController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller, @CallersKeyHash() keyHash: string): Promise<object> {
    return {
      push_devices: await this.dispatch.ask(new GetOwnDevices({ userId: user._id, currentKeyId: apiKeyId(keyHash) })),
    };
  }

  @Delete(':device_id')
  async remove(@Caller() { user, by }: Caller, @PathText('device_id') deviceId: string): Promise<void> {
    await this.dispatch.do(new RemoveOwnDevice({ userId: user._id, keyId: deviceId, by }));
  }
}
