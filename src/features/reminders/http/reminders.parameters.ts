import { IsOptional, IsString } from 'class-validator';
import { IsId, IsSecond, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

/** `POST /reminders` */
export class SetReminderParameters {
  @JsonText()
  @IsId()
  readonly message_id!: number;

  @JsonText()
  @IsSecond()
  readonly scheduled_delivery_timestamp!: number;

  @IsOptional()
  @IsString()
  readonly note?: string;
}
