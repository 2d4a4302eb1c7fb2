import { TextInTurns } from '../../../platform/http/answers/text-in-turns.js';
import { CSV_HEADER, csvRecord } from '../formats/csv.js';
import type { AuditEntry } from '../queries/audit-entry.js';

interface TextFormat {
  readonly name: 'jsonl' | 'csv';
  readonly contentType: string;
  readonly start: string;
  readonly entry: (entry: AuditEntry) => string;
}

const FORMATS: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
  [
    'application/x-ndjson',
    { name: 'jsonl', contentType: 'application/x-ndjson', start: '', entry: (entry) => `${JSON.stringify(entry)}\n` },
  ],
  [
    'text/csv',
    { name: 'csv', contentType: 'text/csv; charset=utf-8; header=present', start: CSV_HEADER, entry: csvRecord },
  ],
]);

/** The format that the header `Accept` prefers to JSON; null: JSON. */
export function textFormatFor(accept: string | undefined): TextFormat | null {
  let best: TextFormat | null = null;
  let most = 0;
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    const format = FORMATS.get(type) ?? null;
    const isJson = type === 'application/json' || type === 'application/*' || type === '*/*';
    if (quality <= most || (!format && !isJson)) continue;
    [best, most] = [format, quality];
  }
  return best;
}

export const auditTexts = (format: TextFormat, pages: AsyncIterable<readonly AuditEntry[]>): TextInTurns =>
  new TextInTurns(format.contentType, textsOf(format, pages));

async function* textsOf({ start, entry }: TextFormat, pages: AsyncIterable<readonly AuditEntry[]>) {
  if (start !== '') yield start;
  for await (const entries of pages) yield entries.map(entry).join('');
}
