import { IsBoolean, IsOptional } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetUserParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly client_gravatar: boolean = true;

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly include_custom_profile_fields: boolean = false;
}
