import { signal } from '@preact/signals';
import { get, type Parameters } from '../../platform/api.js';
import { wordsOf } from '../../platform/deed.js';

/** Events that are asked for at a time. */
const PAGE = '200';

export type AuditEvent = Awaited<ReturnType<typeof get<'/audit/events'>>>['events'][number];

export const events = signal<readonly AuditEvent[]>([]);
export const isLoading = signal(false);
export const problem = signal('');
/** Where the next page begins; null: there is none. */
export const next = signal<number | null>(null);

let newest = 0;

/** Finds the newest events that the question is about. A later question goes before it. */
export const find = (parameters: Parameters): Promise<void> => load(parameters, []);

export const findMore = (parameters: Parameters): Promise<void> =>
  load({ ...parameters, after: String(next.value) }, events.value);

async function load(parameters: Parameters, before: readonly AuditEvent[]): Promise<void> {
  newest += 1;
  const own = newest;
  isLoading.value = true;
  problem.value = '';
  try {
    const page = await get('/audit/events', { ...parameters, limit: PAGE });
    if (own !== newest) return;
    events.value = [...before, ...page.events];
    next.value = page.cursor;
  } catch (error) {
    if (own !== newest) return;
    events.value = before;
    next.value = null;
    problem.value = wordsOf(error);
  }
  isLoading.value = false;
}
