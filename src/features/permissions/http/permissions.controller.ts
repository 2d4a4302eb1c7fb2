import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsOptional, IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { IsId, JsonText, RefusesUnknown } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { ExplainPermission, type Explanation } from '../queries/explain-permission.js';

/** `GET /permissions/why` */
@RefusesUnknown()
export class WhyParameters {
  @JsonText()
  @IsId()
  readonly user_id!: number;

  /** One of ACTION_NAMES, which a refusal lists. */
  @IsString()
  readonly action!: string;

  /** Absent: in the organization. */
  @JsonText()
  @IsOptional()
  @IsId()
  readonly channel_id?: number;
}

@Controller('permissions')
export class PermissionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('why')
  why(
    @Caller() { user: reader }: Caller,
    @Parameters(WhyParameters) { user_id: userId, action, channel_id }: WhyParameters,
  ): Promise<Explanation> {
    return this.queries.execute(new ExplainPermission({ reader, userId, action, channelId: channel_id ?? null }));
  }
}
