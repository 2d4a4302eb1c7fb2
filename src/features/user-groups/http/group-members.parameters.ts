import { IsBoolean, IsOptional } from 'class-validator';
import { JsonText, OptionalIds } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetMembersParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly direct_member_only: boolean = false;
}

export class GetSubgroupsParameters {
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly direct_subgroup_only: boolean = false;
}

export class UpdateMembersParameters {
  @OptionalIds()
  readonly add: readonly number[] = [];

  @OptionalIds()
  readonly delete: readonly number[] = [];

  @OptionalIds()
  readonly add_subgroups: readonly number[] = [];

  @OptionalIds()
  readonly delete_subgroups: readonly number[] = [];
}

export class UpdateSubgroupsParameters {
  @OptionalIds()
  readonly add: readonly number[] = [];

  @OptionalIds()
  readonly delete: readonly number[] = [];
}
