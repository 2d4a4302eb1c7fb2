import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { ExplainPermission, type Explanation } from '../queries/explain-permission.js';
import { WhyParameters } from './permissions.parameters.js';

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
