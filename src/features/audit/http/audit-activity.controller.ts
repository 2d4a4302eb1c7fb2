import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import type { AuditActivity } from '../queries/audit-activity.js';
import { GetAuditActivity } from '../queries/get-audit-activity.handler.js';
import { AuditActivityParameters } from './audit-activity.parameters.js';
import { questionOf } from './audit-question.parameters.js';
import { AuditReads } from './audit-reads.js';

@Controller('audit')
export class AuditActivityController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('activity')
  async activity(
    @Caller() { user, by }: Caller,
    @Parameters() asked: AuditActivityParameters,
    @Connection() client: WatchedConnection,
  ): Promise<AuditActivity> {
    const question = questionOf(asked);
    const { width, after = null } = asked;
    const query = { reader: user, question, client, proofs: false, wordsBy: null, width, after };
    const answer = await this.dispatch.ask(new GetAuditActivity(query));
    this.reads.events(question, 'json', by);
    return answer;
  }
}
