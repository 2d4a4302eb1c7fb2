import { eventRegistry } from '../../events/event-registry.js';
import { CSV_HEADER, csvRecord } from '../../features/audit/formats/csv.js';
import { ocsfEvent } from '../../features/audit/formats/ocsf.js';
import { toldInWords } from '../../features/audit/formats/sentences.js';
import type { AuditChannel, AuditEntry } from '../../features/audit/queries/audit-entry.js';
import type { Json } from '../../platform/kernel/json.js';
import { contentOf, headingOf, printable } from './log-entry.js';

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

/** Lines for people: the event and its actor, what was done, its words, other places, and names that have changed since. */
function textOf(entry: AuditEntry): string {
  const { actor, address, kind: type, channels } = entry;
  const sealed = eventRegistry.get(type)?.sealed?.field;
  const done = toldInWords(entry, sealed);
  const renamed = actor ? today(actor.name, actor.name_today) + today(actor.email, actor.email_today) : '';
  const lines = [
    done,
    ...contentLines(sealed === undefined ? undefined : entry.data[sealed]),
    ...channels
      .flatMap((channel) => placesIn(channel, entry))
      .filter((place) => !done.includes(place))
      .map((place) => `in ${place}`),
    ...(renamed ? [`actor${renamed}`] : []),
  ];
  const heading = headingOf({
    ...entry,
    type,
    actor: actor && { id: actor.user_id, name: actor.name, email: actor.email },
    address: address ?? undefined,
    operator: entry.operator ?? undefined,
  });
  return `${heading}\n${lines.map((line) => `    ${printable(line)}\n`).join('')}`;
}

/** What people wrote, if the answer has it. */
function contentLines(content: Json | undefined): string[] {
  if (content === undefined || contentOf(content) === '(sealed)') return [];
  const hasText = typeof content === 'object' && content !== null && 'text' in content;
  return [`content: ${hasText ? JSON.stringify(content.text) : contentOf(content)}`];
}

function placesIn({ channel_id, name, name_today }: AuditChannel, { topics }: AuditEntry): string[] {
  const channel = `${name ?? `channel ${channel_id}`}${today(name, name_today)}`;
  const inChannel = topics.filter((topic) => topic.channel_id === channel_id);
  return inChannel.length === 0 ? [channel] : inChannel.map(({ topic }) => `${channel} > ${topic}`);
}

const today = (then: string | null, now: string | null): string =>
  now === null || now === then ? '' : ` (today ${now})`;
