import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { GetMessageThen } from '../queries/get-message-then.handler.js';
import { AuditMessageParameters } from './audit-message.parameters.js';
import { AuditReads } from './audit-reads.js';

@Controller('audit')
export class AuditMessageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reads: AuditReads,
  ) {}

  @Get('message')
  async message(
    @Caller() caller: Caller,
    @Parameters(AuditMessageParameters) { message_id: messageId, as_of, words = false }: AuditMessageParameters,
    @Connection() client: WatchedConnection,
  ): Promise<JsonInTurns> {
    const by = commandContext(caller);
    const question = { messageId, asOf: as_of?.to ?? null };
    const answer = await this.queries.execute(
      new GetMessageThen({ reader: caller.user, question, client, wordsBy: words ? by : null }),
    );
    this.reads.message(question, by);
    return JsonInTurns.of(answer);
  }
}
