import { OptionalIds } from '../../../platform/http/parameters/id-list.decorator.js';

export class UpdateSubgroupsParameters {
  @OptionalIds()
  readonly add: readonly number[] = [];

  @OptionalIds()
  readonly delete: readonly number[] = [];
}
