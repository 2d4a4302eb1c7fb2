import { CSV_HEADER, csvRecord } from '../../features/audit/formats/csv.js';
import { ocsfEvent } from '../../features/audit/formats/ocsf.js';
import type { AuditEntry } from '../../features/audit/queries/audit-entry.js';
import { printable, readable } from './log-entry.js';

interface AuditFormat {
  readonly start: string;
  /** @param isFirst no entry was written before */
  readonly entry: (entry: AuditEntry, isFirst: boolean) => string;
  readonly end: string;
}

/** Formats by name: `json` is one value, `jsonl` and `ocsf` are one value a line. */
export const AUDIT_FORMATS = {
  text: { start: '', entry: textOf, end: '' },
  json: { start: '[', entry: (entry, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(entry)}`, end: '\n]\n' },
  jsonl: { start: '', entry: (entry) => `${JSON.stringify(entry)}\n`, end: '' },
  csv: { start: CSV_HEADER, entry: csvRecord, end: '' },
  ocsf: { start: '', entry: (entry) => `${JSON.stringify(ocsfEvent(entry))}\n`, end: '' },
} satisfies Record<string, AuditFormat>;

export type AuditFormatName = keyof typeof AUDIT_FORMATS;

/** Lines for people: the event and its actor, its data, then its places and the names that have changed since. */
function textOf(entry: AuditEntry): string {
  const { actor, address, kind: type, channels, topics } = entry;
  const places = channels.map(({ channel_id, name, name_today }) => {
    const inChannel = topics.filter((topic) => topic.channel_id === channel_id).map(({ topic }) => ` > ${topic}`);
    return `    in ${name ?? `channel ${channel_id}`}${today(name, name_today)}${inChannel.join(', ')}\n`;
  });
  const renamed = actor ? today(actor.name, actor.name_today) + today(actor.email, actor.email_today) : '';
  const event = readable({
    ...entry,
    type,
    actor: actor && { id: actor.user_id, name: actor.name, email: actor.email },
    address: address ?? undefined,
  });
  return `${event}\n${places.map((place) => `${printable(place.trimEnd())}\n`).join('')}${renamed && `    actor${printable(renamed)}\n`}`;
}

const today = (then: string | null, now: string | null): string =>
  now === null || now === then ? '' : ` (today ${now})`;
