import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { GetAuditProofs } from '../queries/get-audit-proofs.handler.js';
import { GetAuditors } from '../queries/get-auditors.js';
import { AuditProofParameters } from './audit-proof.parameters.js';
import { AuditReads } from './audit-reads.js';

@Controller('audit')
export class AuditProofController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly reads: AuditReads,
  ) {}

  @Get('auditors')
  auditors(@Caller() { user }: Caller): Promise<object> {
    return this.dispatch.ask(new GetAuditors({ reader: user }));
  }

  @Get('proof')
  async proof(
    @Caller() { user, by }: Caller,
    @Parameters() { event_id, message_id }: AuditProofParameters,
    @Connection() client: WatchedConnection,
  ): Promise<JsonInTurns> {
    const asked = { eventId: event_id ?? null, messageId: message_id ?? null };
    const proofs = await this.dispatch.ask(new GetAuditProofs({ ...asked, reader: user, client }));
    this.reads.proof(asked, by);
    return JsonInTurns.of({ proofs });
  }
}
