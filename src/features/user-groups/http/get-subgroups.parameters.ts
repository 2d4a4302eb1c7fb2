import { IsBoolean, IsOptional } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetSubgroupsParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly direct_subgroup_only: boolean = false;
}
