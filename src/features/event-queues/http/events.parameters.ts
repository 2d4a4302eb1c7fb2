import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

export class GetEventsParameters {
  @IsString() readonly queue_id!: string;

  /** -1 is before every event. */
  @JsonText() @IsOptional() @IsInt() @Min(-1) @Max(Number.MAX_SAFE_INTEGER) readonly last_event_id?: number;

  @OptionalFlag() readonly dont_block?: boolean;
}

export class DeleteQueueParameters {
  @IsString() readonly queue_id!: string;
}
