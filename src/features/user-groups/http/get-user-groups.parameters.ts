import { IsBoolean, IsOptional } from 'class-validator';
import { Alias, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetUserGroupsParameters {
  @Alias('allow_deactivated')
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly include_deactivated_groups: boolean = false;
}
