import { IsInt, IsString } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class MarkChannelReadParameters {
  @JsonText()
  @IsInt()
  readonly stream_id!: number;
}

export class MarkTopicReadParameters extends MarkChannelReadParameters {
  @IsString()
  readonly topic_name!: string;
}
