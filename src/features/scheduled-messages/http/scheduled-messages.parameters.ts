import { IsIn, IsOptional, IsString, ValidateBy } from 'class-validator';
import { IsSecond, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

const MOST_ADDRESSEES = 1000;
const TYPES = ['direct', 'channel', 'stream', 'private'] as const;

export type ScheduledType = (typeof TYPES)[number];

/** A channel's id, or a list of ids. */
const IsTarget = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTarget',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value)
          ? value.length > 0 && value.length <= MOST_ADDRESSEES && value.every(Number.isSafeInteger)
          : Number.isSafeInteger(value),
      defaultMessage: () => '$property is neither the id of a channel nor a list of ids of users',
    },
  });

/** `POST /scheduled_messages` */
export class ScheduleMessageParameters {
  @IsIn(TYPES)
  readonly type!: ScheduledType;

  @JsonText()
  @IsTarget()
  readonly to!: number | readonly number[];

  @IsString()
  readonly content!: string;

  @IsOptional()
  @IsString()
  readonly topic?: string;

  @JsonText()
  @IsSecond()
  readonly scheduled_delivery_timestamp!: number;

  @OptionalFlag()
  readonly read_by_sender?: boolean;
}

/** `PATCH /scheduled_messages/{scheduled_message_id}` */
export class EditScheduledMessageParameters {
  @IsOptional()
  @IsIn(TYPES)
  readonly type?: ScheduledType;

  @JsonText()
  @IsOptional()
  @IsTarget()
  readonly to?: number | readonly number[];

  @IsOptional()
  @IsString()
  readonly content?: string;

  @IsOptional()
  @IsString()
  readonly topic?: string;

  @JsonText()
  @IsOptional()
  @IsSecond()
  readonly scheduled_delivery_timestamp?: number;
}
