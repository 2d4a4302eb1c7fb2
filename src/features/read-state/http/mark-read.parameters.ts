import { IsString } from 'class-validator';
import { IsId, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class MarkChannelReadParameters {
  @JsonText()
  @IsId()
  readonly stream_id!: number;
}

export class MarkTopicReadParameters extends MarkChannelReadParameters {
  @IsString()
  readonly topic_name!: string;
}
