import { errorTable, type RefusalCode } from './error-table.js';
import type { Refusal, RefusalData } from './refusals/refusal.js';

/** A refusal as it goes over the wire. */
export interface RefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const rows: ReadonlyMap<string, Refusal> = new Map(Object.entries(errorTable));

/** @returns null for a code that has no row: a mistake of ours, not of the client */
export function answerTo(code: string, data: RefusalData = {}): RefusalAnswer | null {
  const row = rows.get(code);
  return row ? answer(row, data) : null;
}

/** For the edge's own refusals, whose codes the compiler knows. */
export function refusalAnswer(code: RefusalCode, data: RefusalData = {}): RefusalAnswer {
  return answer(errorTable[code], data);
}

function answer(row: Refusal, data: RefusalData): RefusalAnswer {
  const extra = (row.keys ?? []).filter((key) => data[key] !== undefined).map((key) => [key, data[key]]);
  return {
    status: row.status,
    headers: row.headers?.(data) ?? {},
    body: { result: 'error', msg: messageOf(row, data), code: row.code, ...Object.fromEntries(extra) },
  };
}

function messageOf({ message }: Refusal, data: RefusalData): string {
  if (typeof message === 'function') return message(data);
  return message.replace(/\{([\w-]+)\}/g, (_, name: string) => String(data[name]));
}
