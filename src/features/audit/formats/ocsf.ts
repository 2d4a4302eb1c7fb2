import type { JsonObject } from '../../../platform/kernel/json.js';
import type { AuditActor, AuditEntry } from '../queries/audit-entry.js';

/** The version of the Open Cybersecurity Schema Framework. */
const SCHEMA = '1.3.0';
const APPLICATION_ACTIVITY = 6;
const API_ACTIVITY = 6003;
const INFORMATIONAL = 1;
const SUCCESS = 1;

const CREATE = 1;
const READ = 2;
const UPDATE = 3;
const DELETE = 4;

/** The last words of stored types. All others are updates. */
const ACTIVITIES: readonly (readonly [activity: number, last: RegExp])[] = [
  [CREATE, /(?:Created|Added|Sent|Set|Scheduled|Uploaded|Issued|Registered|Subscribed)$/],
  [READ, /WordsRead$/],
  [DELETE, /(?:Deleted|Removed|Revoked|Unsubscribed|Expired|Cleared)$/],
];

/** The entry as an event of the class API Activity. */
export function ocsfEvent(entry: AuditEntry): JsonObject {
  const { id, position, stream, revision, kind, time, actor, operator, client, address, request_id } = entry;
  const activity = ACTIVITIES.find(([, last]) => last.test(kind))?.[0] ?? UPDATE;
  return {
    category_uid: APPLICATION_ACTIVITY,
    class_uid: API_ACTIVITY,
    activity_id: activity,
    type_uid: API_ACTIVITY * 100 + activity,
    time: Date.parse(time),
    severity_id: INFORMATIONAL,
    status_id: SUCCESS,
    actor: { ...(actor ? { user: userOf(actor) } : operator && { user: { name: operator } }), app_name: client },
    api: { operation: kind, request: { uid: request_id }, service: { name: 'Annals' } },
    // The schema wants to know a source. The server's own acts, and requests of an unknown address, have a service's name.
    src_endpoint: address === null ? { svc_name: client } : { ip: address },
    metadata: {
      version: SCHEMA,
      uid: id,
      correlation_uid: entry.caused_by ?? request_id,
      original_time: time,
      sequence: position,
      log_name: stream,
      product: { name: 'Annals', vendor_name: 'Annals' },
    },
    unmapped: { revision, channels: entry.channels.map(plain), topics: entry.topics.map(plain), data: entry.data },
  };
}

const userOf = ({ user_id, name, email }: AuditActor): JsonObject => ({
  uid: String(user_id),
  ...(name !== null && { name }),
  ...(email !== null && { email_addr: email }),
});

const plain = (value: object): JsonObject => ({ ...value });
