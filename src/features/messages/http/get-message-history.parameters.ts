import { IsBoolean, IsOptional } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /messages/{message_id}/history`. */
export class GetMessageHistoryParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly allow_empty_topic_name: boolean = false;
}
