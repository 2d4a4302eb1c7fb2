import type { RefusalData } from '../kernel/deciding.js';
import { type EdgeRefusal, edgeRefusals } from './edge.refusals.js';
import type { Refusal } from './refusal.js';

/** A refusal as an HTTP answer. */
export interface RefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answer to one of the edge's own refusals. */
export const edgeAnswer = (code: EdgeRefusal, data: RefusalData = {}): RefusalAnswer =>
  refusalAnswer(edgeRefusals[code], data);

/** The answer to a refusal. @param data fills the placeholders of its message, its keys and its headers */
export function refusalAnswer(refusal: Refusal, data: RefusalData): RefusalAnswer {
  const extra = (refusal.keys ?? []).filter((key) => data[key] !== undefined).map((key) => [key, data[key]]);
  return {
    status: refusal.status,
    headers: refusal.headers?.(data) ?? {},
    body: { result: 'error', msg: messageOf(refusal, data), code: refusal.code, ...Object.fromEntries(extra) },
  };
}

/** The message of a refusal for people. @param data fills its placeholders */
export function messageOf({ message }: Refusal, data: RefusalData): string {
  if (typeof message === 'function') return message(data);
  return message.replace(/\{([\w-]+)\}/g, (_, name: string) => String(data[name]));
}
