import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetEventsParameters {
  @IsString()
  readonly queue_id!: string;

  @JsonText()
  @IsOptional()
  @IsInt()
  readonly last_event_id?: number;

  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly dont_block?: boolean;
}

export class DeleteQueueParameters {
  @IsString()
  readonly queue_id!: string;
}
