import { IsString } from 'class-validator';

export class DeleteTopicParameters {
  @IsString()
  readonly topic_name!: string;
}
