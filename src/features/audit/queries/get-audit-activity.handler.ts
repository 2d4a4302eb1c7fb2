import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import type { Position } from '../../../platform/kernel/position.js';
import { Query } from '../../../platform/kernel/query.js';
import type { AuditActivity } from './audit-activity.js';
import { type AskedSearch, AuditSearches } from './audit-searches.js';

/** How many events a question asks for, by time. */
export class GetAuditActivity extends Query<
  AskedSearch & {
    /** Of a part of time: seconds. */
    readonly width: number;
    readonly after: Position | null;
    readonly client: ClientConnection;
  },
  AuditActivity
> {}

@QueryHandler(GetAuditActivity)
export class GetAuditActivityHandler implements IQueryHandler<GetAuditActivity> {
  constructor(private readonly searches: AuditSearches) {}

  /** @throws what `AuditSearches.begin` throws */
  async execute({ width, after, client, ...asked }: GetAuditActivity): Promise<AuditActivity> {
    const search = await this.searches.begin(asked);
    return search.activity(width, after, client);
  }
}
