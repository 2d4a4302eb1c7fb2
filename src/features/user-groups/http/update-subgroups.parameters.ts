import { OptionalIds } from '../../../platform/http/parameters/parameter-decorators.js';

export class UpdateSubgroupsParameters {
  @OptionalIds()
  readonly add: readonly number[] = [];

  @OptionalIds()
  readonly delete: readonly number[] = [];
}
