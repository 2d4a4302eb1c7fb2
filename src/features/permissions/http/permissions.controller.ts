import { Controller, Get } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Id, OptionalId, RefusesUnknown } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { ExplainPermission, type Explanation } from '../queries/explain-permission.js';

/** `GET /permissions/why` */
@RefusesUnknown()
export class WhyParameters {
  @Id() readonly user_id!: number;

  /** One of ACTION_NAMES, which a refusal lists. */
  @IsString() readonly action!: string;

  /** Absent: in the organization. */
  @OptionalId() readonly channel_id?: number;
}

@Controller('permissions')
export class PermissionsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get('why')
  why(
    @Caller() { user: reader }: Caller,
    @Parameters() { user_id: userId, action, channel_id }: WhyParameters,
  ): Promise<Explanation> {
    return this.dispatch.ask(new ExplainPermission({ reader, userId, action, channelId: channel_id ?? null }));
  }
}
