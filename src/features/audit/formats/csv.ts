import type { AuditEntry } from '../queries/audit-entry.js';

type Value = string | number | null;

/** The columns, in their order. Programs read these names, so they stay. */
const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => Value>> = {
  position: ({ position }) => position,
  id: ({ id }) => id,
  time: ({ time }) => time,
  kind: ({ kind }) => kind,
  stream: ({ stream }) => stream,
  revision: ({ revision }) => revision,
  actor_id: ({ actor }) => actor?.user_id ?? null,
  actor_name: ({ actor }) => actor?.name ?? null,
  actor_email: ({ actor }) => actor?.email ?? null,
  actor_name_today: ({ actor }) => actor?.name_today ?? null,
  actor_email_today: ({ actor }) => actor?.email_today ?? null,
  client: ({ client }) => client,
  address: ({ address }) => address,
  request_id: ({ request_id }) => request_id,
  caused_by: ({ caused_by }) => caused_by,
  channels: ({ channels }) => listed(channels),
  topics: ({ topics }) => listed(topics),
  data: ({ data }) => JSON.stringify(data),
  operator: ({ operator }) => operator,
};

export const CSV_HEADER = `${Object.keys(COLUMNS).join(',')}\r\n`;

/** A record as RFC 4180 has it. */
export const csvRecord = (entry: AuditEntry): string =>
  `${Object.values(COLUMNS)
    .map((column) => field(column(entry)))
    .join(',')}\r\n`;

const listed = (values: readonly object[]): Value => (values.length === 0 ? null : JSON.stringify(values));

/** A spreadsheet would run a text that begins with one of these as a formula. An apostrophe in front makes it a text. */
const FORMULA = /^[=+\-@\t\r]/;

function field(value: Value): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
