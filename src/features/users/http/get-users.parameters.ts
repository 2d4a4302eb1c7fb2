import { IsOptional } from 'class-validator';
import { AreIds, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { GetUserParameters } from './get-user.parameters.js';

export class GetUsersParameters extends GetUserParameters {
  /** Absent for all users. */
  @JsonText()
  @IsOptional()
  @AreIds()
  readonly user_ids?: readonly number[];
}
