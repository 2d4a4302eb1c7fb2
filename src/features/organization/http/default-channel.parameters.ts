import { IsInt } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class DefaultChannelParameters {
  @JsonText()
  @IsInt()
  readonly stream_id!: number;
}
