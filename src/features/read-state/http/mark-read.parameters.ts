import { IsString } from 'class-validator';
import { Id } from '../../../platform/http/parameters/parameter-decorators.js';

export class MarkChannelReadParameters {
  @Id() readonly stream_id!: number;
}

export class MarkTopicReadParameters extends MarkChannelReadParameters {
  @IsString() readonly topic_name!: string;
}
