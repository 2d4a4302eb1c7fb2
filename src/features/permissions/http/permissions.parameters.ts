import { IsOptional, IsString } from 'class-validator';
import { IsId, JsonText, RefusesUnknown } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /permissions/why` */
@RefusesUnknown()
export class WhyParameters {
  @JsonText()
  @IsId()
  readonly user_id!: number;

  /** One of ACTION_NAMES, which a refusal lists. */
  @IsString()
  readonly action!: string;

  /** Absent: in the organization. */
  @JsonText()
  @IsOptional()
  @IsId()
  readonly channel_id?: number;
}
