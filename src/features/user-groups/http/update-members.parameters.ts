import { OptionalIds } from '../../../platform/http/parameters/parameter-decorators.js';

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
