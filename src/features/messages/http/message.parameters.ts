import { IsIn, IsOptional, IsString } from 'class-validator';
import { PROPAGATE_MODES, type PropagateMode } from '../../../events/messages/topics.events.js';
import { Alias, IsId, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /messages/{message_id}`. */
export class GetMessageParameters {
  @OptionalFlag()
  readonly apply_markdown: boolean = true;

  @OptionalFlag()
  readonly allow_empty_topic_name: boolean = false;
}

/** `GET /messages/{message_id}/history`. */
export class GetMessageHistoryParameters {
  @OptionalFlag()
  readonly allow_empty_topic_name: boolean = false;
}

/** Parameters of `PATCH /messages/{message_id}`. */
export class UpdateMessageParameters {
  @Alias('subject')
  @IsOptional()
  @IsString()
  readonly topic?: string;

  @IsOptional()
  @IsIn(PROPAGATE_MODES)
  readonly propagate_mode: PropagateMode = 'change_one';

  @OptionalFlag()
  readonly send_notification_to_old_thread: boolean = false;

  @OptionalFlag()
  readonly send_notification_to_new_thread: boolean = true;

  @IsOptional()
  @IsString()
  readonly content?: string;

  @IsOptional()
  @IsString()
  readonly prev_content_sha256?: string;

  @JsonText()
  @IsOptional()
  @IsId()
  readonly stream_id?: number;
}
