import { OptionalIds } from '../../../platform/http/parameters/number.decorators.js';

export class UpdateSubgroupsParameters {
  @OptionalIds()
  readonly add: readonly number[] = [];

  @OptionalIds()
  readonly delete: readonly number[] = [];
}
