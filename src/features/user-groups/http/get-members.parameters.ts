import { IsBoolean, IsOptional } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetMembersParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly direct_member_only: boolean = false;
}
