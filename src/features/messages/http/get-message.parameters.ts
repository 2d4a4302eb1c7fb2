import { IsBoolean, IsOptional } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /messages/{message_id}`. */
export class GetMessageParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly apply_markdown: boolean = true;

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly allow_empty_topic_name: boolean = false;
}
