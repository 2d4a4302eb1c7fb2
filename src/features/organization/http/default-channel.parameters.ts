import { Id } from '../../../platform/http/parameters/parameter-decorators.js';

export class DefaultChannelParameters {
  @Id() readonly stream_id!: number;
}
