import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { GetMessageThen } from '../queries/get-message-then.handler.js';
import { AuditMessageParameters } from './audit-message.parameters.js';
import { AuditReads } from './audit-reads.js';

@Controller('audit')
export class AuditMessageController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('message')
  async message(
    @Caller() { user, by }: Caller,
    @Parameters() { message_id: messageId, as_of, words = false }: AuditMessageParameters,
    @Connection() client: WatchedConnection,
  ): Promise<JsonInTurns> {
    const question = { messageId, asOf: as_of?.to ?? null };
    const answer = await this.dispatch.ask(
      new GetMessageThen({ reader: user, question, client, wordsBy: words ? by : null }),
    );
    this.reads.message(question, by);
    return JsonInTurns.of(answer);
  }
}
