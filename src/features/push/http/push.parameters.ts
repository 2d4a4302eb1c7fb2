import { IsIn, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import type { TokenKind } from '../../../events/push/push.events.js';
import { OptionalText, TextOrNull } from '../../../platform/http/parameters/parameter-decorators.js';
import { isPublicBoxKey } from '../../../platform/push/box-key.js';

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
export class PushTokenParameters {
  @IsString() readonly token!: string;
}

/** `POST /users/me/apns_device_token` */
export class AppleTokenParameters extends PushTokenParameters {
  @IsString() readonly appid!: string;
}

/** `POST /mobile_push/test_notification` */
export class TestNotificationParameters {
  @OptionalText() readonly token?: string;
}

/** `POST /mobile_push/e2ee/test_notification` */
export class EncryptedTestNotificationParameters {
  /** Decimal text, as in RegisterPushDeviceParameters. Absent or null: all devices. */
  @TextOrNull() @IsOptional() @IsAccountId() readonly push_account_id: string | null = null;
}

/** `POST /mobile_push/register` */
export class RegisterPushDeviceParameters {
  @IsIn(['fcm', 'apns']) readonly token_kind!: TokenKind;

  /** Decimal text: the integer may exceed what a number can hold. */
  @IsAccountId() readonly push_account_id!: string;

  @IsPublicBoxKey() readonly push_public_key!: string;

  /** Of any form: a wrong key ends in the event `push_device`, and not in a refusal. */
  @IsString() @MaxLength(MAX_KEY_LENGTH) readonly bouncer_public_key!: string;

  /** Of any form, like the key. */
  @IsString() @MaxLength(MAX_BOX_LENGTH) readonly encrypted_push_registration!: string;
}
