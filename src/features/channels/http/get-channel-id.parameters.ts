import { IsString } from 'class-validator';

export class GetChannelIdParameters {
  @IsString()
  readonly stream!: string;
}
