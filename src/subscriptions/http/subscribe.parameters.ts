import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString, ValidateBy, ValidateNested } from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';

/** Channels of one request; more are a mistake or an attack. */
const MAX_CHANNELS = 1_000;
const MAX_PRINCIPALS = 20_000;

class RequestedChannel {
  @IsString()
  readonly name!: string;

  @IsOptional()
  @IsString()
  readonly description: string = '';
}

const isPrincipals = (value: unknown): boolean =>
  Array.isArray(value) &&
  (value.every((one) => typeof one === 'string') || value.every((one) => Number.isSafeInteger(one)));

export class SubscribeParameters {
  @JsonText()
  @IsArray()
  @ArrayMaxSize(MAX_CHANNELS)
  @ValidateNested({ each: true })
  @Type(() => RequestedChannel)
  readonly subscriptions!: readonly RequestedChannel[];

  /** All ids or all addresses. */
  @JsonText()
  @IsOptional()
  @ArrayMaxSize(MAX_PRINCIPALS)
  @ValidateBy({
    name: 'isPrincipals',
    validator: { validate: isPrincipals, defaultMessage: () => '$property is not a list of user IDs or of addresses' },
  })
  readonly principals?: readonly number[] | readonly string[];

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly authorization_errors_fatal: boolean = true;

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly invite_only: boolean = false;

  /** Absent: true for public channels, false for private ones. */
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly history_public_to_subscribers?: boolean;
}
