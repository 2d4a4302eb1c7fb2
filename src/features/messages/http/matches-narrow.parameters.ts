import { IsArray, IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /messages/matches_narrow`. */
export class MatchesNarrowParameters {
  @JsonText()
  @IsArray()
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  readonly msg_ids!: readonly number[];

  /** The terms are checked by `parseNarrow`. */
  @JsonText()
  @IsArray()
  readonly narrow!: readonly unknown[];

  /** As in `GET /messages`: clients merge both answers. */
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly allow_empty_topic_name: boolean = false;
}
