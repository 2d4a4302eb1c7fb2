import { IsIn, IsOptional } from 'class-validator';

export class GetSubscriptionsParameters {
  /** `partial` may leave subscribers out; this server always has them all. */
  @IsOptional()
  @IsIn(['true', 'false', 'partial'])
  readonly include_subscribers: 'true' | 'false' | 'partial' = 'false';
}
