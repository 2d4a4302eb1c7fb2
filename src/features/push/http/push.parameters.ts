import { IsIn, IsOptional, IsString, Matches, ValidateBy } from 'class-validator';
import type { TokenKind } from '../../../events/push/push.events.js';
import { isBoxKey } from '../../../platform/push/box-key.js';

const LEAST_ID = -(2n ** 63n);
const GREATEST_ID = 2n ** 63n - 1n;

const Passes = (name: string, validate: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name, validator: { validate } });

export const isAccountId = (value: unknown): boolean => {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const id = BigInt(value);
  return id >= LEAST_ID && id <= GREATEST_ID;
};

/** `DELETE /users/me/apns_device_token`, `POST`/`DELETE /users/me/android_gcm_reg_id` */
export class PushTokenParameters {
  @IsString()
  readonly token!: string;
}

/** `POST /users/me/apns_device_token` */
export class AppleTokenParameters extends PushTokenParameters {
  @IsString()
  readonly appid!: string;
}

/** `POST /mobile_push/test_notification` */
export class TestNotificationParameters {
  @IsOptional()
  @IsString()
  readonly token?: string;
}

/** `POST /mobile_push/e2ee/test_notification` */
export class EncryptedTestNotificationParameters {
  /** Decimal text, as in RegisterPushDeviceParameters. */
  @IsOptional()
  @Passes('isAccountId', isAccountId)
  readonly push_account_id?: string;
}

/** `POST /mobile_push/register` */
export class RegisterPushDeviceParameters {
  @IsIn(['fcm', 'apns'])
  readonly token_kind!: TokenKind;

  /** Decimal text: the integer may exceed what a number can hold. */
  @Passes('isAccountId', isAccountId)
  readonly push_account_id!: string;

  @Passes('isBoxKey', isBoxKey)
  readonly push_public_key!: string;

  @Passes('isBoxKey', isBoxKey)
  readonly bouncer_public_key!: string;

  @IsString()
  @Matches(/^(?:[A-Za-z0-9+/]{4}){1,4096}$|^(?:[A-Za-z0-9+/]{4}){0,4096}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/)
  readonly encrypted_push_registration!: string;
}
