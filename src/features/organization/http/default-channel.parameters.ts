import { IsId, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class DefaultChannelParameters {
  @JsonText()
  @IsId()
  readonly stream_id!: number;
}
