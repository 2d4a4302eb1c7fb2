import { OptionalFlag, OptionalIds } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetMembersParameters {
  @OptionalFlag() readonly direct_member_only: boolean = false;
}

export class GetSubgroupsParameters {
  @OptionalFlag() readonly direct_subgroup_only: boolean = false;
}

export class UpdateMembersParameters {
  @OptionalIds() readonly add: readonly number[] = [];
  @OptionalIds() readonly delete: readonly number[] = [];
  @OptionalIds() readonly add_subgroups: readonly number[] = [];
  @OptionalIds() readonly delete_subgroups: readonly number[] = [];
}

export class UpdateSubgroupsParameters {
  @OptionalIds() readonly add: readonly number[] = [];
  @OptionalIds() readonly delete: readonly number[] = [];
}
