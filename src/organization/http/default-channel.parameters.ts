import { IsInt } from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';

export class DefaultChannelParameters {
  @JsonText()
  @IsInt()
  readonly stream_id!: number;
}
