import { IsArray, IsInt, IsOptional, Max, Min } from 'class-validator';
import {
  IsCount,
  JsonText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /messages`. */
export class GetMessagesParameters {
  /** A message id, `newest`, `oldest` or `first_unread`. */
  @OptionalText() readonly anchor?: string;

  /** Absent: true. */
  @OptionalFlag() readonly include_anchor?: boolean;

  @JsonText() @IsOptional() @IsCount() readonly num_before?: number;
  @JsonText() @IsOptional() @IsCount() readonly num_after?: number;

  /** The terms are checked by `parseNarrow`. */
  @JsonText() @IsOptional() @IsArray() readonly narrow: readonly unknown[] = [];

  @OptionalFlag() readonly client_gravatar: boolean = true;
  @OptionalFlag() readonly apply_markdown: boolean = true;
  @OptionalFlag() readonly use_first_unread_anchor?: boolean;

  @JsonText()
  @IsOptional()
  @IsArray()
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  readonly message_ids?: readonly number[];

  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}

/** `GET /messages/matches_narrow`. */
export class MatchesNarrowParameters {
  @JsonText()
  @IsArray()
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  readonly msg_ids!: readonly number[];

  /** The terms are checked by `parseNarrow`. */
  @JsonText() @IsArray() readonly narrow!: readonly unknown[];

  /** As in `GET /messages`: clients merge both answers. */
  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}
