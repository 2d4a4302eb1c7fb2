import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { permissionsForClients } from '../../../directory/permissions-for-clients.js';
import { ANSWER_BYTES } from '../../../platform/kernel/byte-budget.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import type { Position } from '../../../platform/kernel/position.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import {
  type AskedSearch,
  type AuditAnswer,
  type AuditRange,
  AuditSearches,
  requireAuditor,
} from '../services/audit-search.js';
import type { AuditActivity } from './audit-activity.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditPage } from './matching-events.js';
import { type MessageQuestion, type MessageThen, messageThen } from './message-then.js';

/** Who may audit besides owners. */
export class GetAuditors extends Query<{ readonly reader: UserRecord }, object> {}

/** How many events a question asks for, by time. */
export class GetAuditActivity extends Query<
  AskedSearch & {
    /** Of a part of time: seconds. */
    readonly width: number;
    readonly after: Position | null;
    readonly connection: ClientConnection;
  },
  AuditActivity
> {}

/** Events of the log that a question asks for. */
export class GetAuditEvents extends Query<
  AskedSearch & { readonly page: AuditPage; readonly connection: ClientConnection },
  AuditAnswer
> {}

/**
 * What a message was at a time, and who could read it.
 * @throws DomainError AUDIT_NOT_ALLOWED, NO_MESSAGE_THEN, WORDS_LEAVE_NO_TRACE, WORDS_NOT_RECORDED; UnavailableError,
 * EventStoreUnavailable
 */
export class GetMessageThen extends Query<
  Pick<AskedSearch, 'reader' | 'wordsBy'> & {
    readonly question: MessageQuestion;
    readonly connection: ClientConnection;
  },
  MessageThen
> {}

type Parts = AsyncGenerator<readonly AuditEntry[], void>;

/** All events that a question asks for, up to the newest at the question: read as they are wanted. */
export class ListAuditEvents extends Query<
  AskedSearch & { readonly range: AuditRange; readonly connection: ClientConnection },
  Parts
> {}

/** The searches refuse as `AuditSearches.begin` does; those for events, with WORDS_NOT_RECORDED, too. */
export const auditQueries = [
  answersFrom(GetAuditors, Directory, ({ reader }, directory) => {
    requireAuditor(reader, directory);
    const { can_audit_group } = directory.settings;
    return permissionsForClients({ can_audit_group }, directory);
  }),
  answersFrom(GetAuditActivity, AuditSearches, async ({ width, after, connection, ...asked }, searches) =>
    (await searches.begin(asked)).activity(width, after, connection),
  ),
  answersFrom(
    GetAuditEvents,
    [AuditSearches, ANSWER_BYTES],
    async ({ page, connection, ...asked }, searches, answerBytes: number) =>
      (await searches.begin(asked)).page(page, answerBytes, connection),
  ),
  answersFrom(GetMessageThen, AuditSearches, async ({ reader, question, connection, wordsBy }, searches) =>
    messageThen(question, await searches.sourcesFor({ reader, wordsBy }), connection),
  ),
  answersFrom(ListAuditEvents, AuditSearches, async ({ range, connection, ...asked }, searches) => {
    const parts = (await searches.begin(asked)).all(range, connection);
    // Reads the first part at once: if that fails, the whole request is refused.
    return continued(await parts.next(), parts);
  }),
];

async function* continued(first: IteratorResult<readonly AuditEntry[], void>, others: Parts): Parts {
  if (first.done) return;
  yield first.value;
  yield* others;
}
