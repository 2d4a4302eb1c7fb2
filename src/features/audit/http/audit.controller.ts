import { Controller, Get, Header, Headers } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { TextInTurns } from '../../../platform/http/text-in-turns.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { GetAuditEvents } from '../queries/get-audit-events.handler.js';
import { ListAuditEvents } from '../queries/list-audit-events.handler.js';
import { AuditEventsParameters } from './audit.parameters.js';
import { questionOf } from './audit-question.parameters.js';
import { AuditReads } from './audit-reads.js';
import { auditTexts, textFormatFor } from './audit-texts.js';

const DEFAULT_LIMIT = 100;

@Controller('audit')
export class AuditController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('events')
  @Header('Vary', 'Accept')
  async events(
    @Caller() { user, by }: Caller,
    @Parameters() asked: AuditEventsParameters,
    @Connection() client: WatchedConnection,
    @Headers('accept') accept?: string,
  ): Promise<JsonInTurns | TextInTurns> {
    const { order, limit, proofs = false, words = false } = asked;
    const question = questionOf(asked);
    const asking = { reader: user, question, client, proofs, wordsBy: words ? by : null };
    const after = asked.after ?? null;
    const format = textFormatFor(accept);
    if (format) {
      if (proofs && format.name === 'csv') refuse('PROOFS_IN_TABLE');
      const range = { order, after, limit: limit ?? null };
      const pages = await this.dispatch.ask(new ListAuditEvents({ ...asking, range }));
      this.reads.events(question, format.name, by);
      return auditTexts(format, pages);
    }
    const page = { order, after, limit: limit ?? DEFAULT_LIMIT };
    const answer = await this.dispatch.ask(new GetAuditEvents({ ...asking, page }));
    this.reads.events(question, 'json', by);
    return JsonInTurns.of(answer);
  }
}
