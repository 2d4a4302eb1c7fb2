import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { GetAuditEvents } from '../queries/get-audit-events.handler.js';
import { AuditEventsParameters } from './audit.parameters.js';

@Controller('audit')
export class AuditController {
  constructor(private readonly queries: QueryBus) {}

  @Get('events')
  async events(
    @Caller() { user }: Caller,
    @Parameters(AuditEventsParameters) asked: AuditEventsParameters,
    @Connection() client: WatchedConnection,
  ): Promise<JsonInTurns> {
    const { order, limit, after, since, until } = asked;
    const question = {
      messageId: asked.message_id ?? null,
      channelId: asked.channel_id ?? null,
      topic: asked.topic ?? null,
      subjectId: asked.subject_user_id ?? null,
      actor: asked.actor ?? null,
      kinds: asked.kind ?? null,
      client: asked.client ?? null,
      from: since === undefined ? null : since * 1000,
      to: until === undefined ? null : until * 1000 + 999,
    };
    const page = { order, limit, after: after ?? null };
    return JsonInTurns.of(await this.queries.execute(new GetAuditEvents({ reader: user, question, page, client })));
  }
}
