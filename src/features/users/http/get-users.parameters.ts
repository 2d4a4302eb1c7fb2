import { IsArray, IsInt, IsOptional } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { GetUserParameters } from './get-user.parameters.js';

export class GetUsersParameters extends GetUserParameters {
  /** Absent for all users. */
  @JsonText()
  @IsOptional()
  @IsArray()
  @IsInt({ each: true })
  readonly user_ids?: readonly number[];
}
