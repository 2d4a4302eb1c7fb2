import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsCount, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

export class UpdatePresenceParameters {
  @IsString()
  readonly status!: string;

  @JsonText()
  @IsOptional()
  @IsInt()
  @Min(-1)
  @Max(Number.MAX_SAFE_INTEGER)
  readonly last_update_id?: number;

  @JsonText()
  @IsOptional()
  @IsCount()
  readonly history_limit_days?: number;

  /** For statistics, which the server does not keep. */
  @OptionalFlag()
  readonly new_user_input: boolean = false;

  @OptionalFlag()
  readonly ping_only: boolean = false;

  @OptionalFlag()
  readonly slim_presence: boolean = false;
}
