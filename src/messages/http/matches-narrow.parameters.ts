import { IsArray, IsBoolean, IsInt, IsOptional, Min } from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';

/** `GET /messages/matches_narrow`. */
export class MatchesNarrowParameters {
  @JsonText()
  @IsArray()
  @IsInt({ each: true })
  @Min(0, { each: true })
  readonly msg_ids!: readonly number[];

  /** Its terms are parse-narrow's to judge. */
  @JsonText()
  @IsArray()
  readonly narrow!: readonly unknown[];

  /** As in `GET /messages`, whose answers clients complete with this one. */
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly allow_empty_topic_name: boolean = false;
}
