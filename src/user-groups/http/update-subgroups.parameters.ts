import { OptionalIds } from './id-list.decorator.js';

export class UpdateSubgroupsParameters {
  @OptionalIds()
  readonly add: readonly number[] = [];

  @OptionalIds()
  readonly delete: readonly number[] = [];
}
