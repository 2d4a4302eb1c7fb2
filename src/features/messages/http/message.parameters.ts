import { IsIn, IsOptional } from 'class-validator';
import { PROPAGATE_MODES, type PropagateMode } from '../../../events/messages/topics.events.js';
import {
  Alias,
  OptionalFlag,
  OptionalId,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /messages/{message_id}`. */
export class GetMessageParameters {
  @OptionalFlag() readonly apply_markdown: boolean = true;
  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}

/** `GET /messages/{message_id}/history`. */
export class GetMessageHistoryParameters {
  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}

/** Parameters of `PATCH /messages/{message_id}`. */
export class UpdateMessageParameters {
  @Alias('subject') @OptionalText() readonly topic?: string;
  @IsOptional() @IsIn(PROPAGATE_MODES) readonly propagate_mode: PropagateMode = 'change_one';
  @OptionalFlag() readonly send_notification_to_old_thread: boolean = false;
  @OptionalFlag() readonly send_notification_to_new_thread: boolean = true;
  @OptionalText() readonly content?: string;
  @OptionalText() readonly prev_content_sha256?: string;
  @OptionalId() readonly stream_id?: number;
}
