import { IsArray, IsBoolean, IsInt, IsOptional } from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';

export class GetUsersParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly client_gravatar: boolean = true;

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly include_custom_profile_fields: boolean = false;

  /** Absent: everyone. */
  @JsonText()
  @IsOptional()
  @IsArray()
  @IsInt({ each: true })
  readonly user_ids?: readonly number[];
}
