import { signal } from '@preact/signals';
import { get, type Parameters } from '../../platform/api.js';
import { wordsOf } from '../../platform/deed.js';
import { countWhole, forgetWhole } from './whole-activity.js';

/** Events that are asked for at a time. */
const PAGE = '200';

type Page = Awaited<ReturnType<typeof get<'/audit/events'>>>;
export type AuditEvent = Page['events'][number];

export const events = signal<readonly AuditEvent[]>([]);
export const isLoading = signal(false);
export const problem = signal('');
/** Where the next page begins; null: there is none. */
export const next = signal<number | null>(null);

let newest = 0;

/** Finds the newest events that the question is about, and counts all of them by time. A later question goes before it. */
export async function find(parameters: Parameters): Promise<void> {
  forgetWhole();
  const page = await load(parameters, []);
  const [first] = page?.events ?? [];
  // If these are all, the chart is made of them.
  if (!page || !first || page.cursor === null) return;
  await countWhole(parameters, first.time).catch((error: unknown) => {
    problem.value = wordsOf(error);
  });
}

export const findMore = async (parameters: Parameters): Promise<void> =>
  void (await load({ ...parameters, after: String(next.value) }, events.value));

/** @returns null: it was refused, or another question was asked meanwhile */
async function load(parameters: Parameters, before: readonly AuditEvent[]): Promise<Page | null> {
  newest += 1;
  const own = newest;
  isLoading.value = true;
  problem.value = '';
  try {
    const page = await get('/audit/events', { ...parameters, limit: PAGE });
    if (own !== newest) return null;
    events.value = [...before, ...page.events];
    next.value = page.cursor;
    isLoading.value = false;
    return page;
  } catch (error) {
    if (own !== newest) return null;
    events.value = before;
    next.value = null;
    problem.value = wordsOf(error);
    isLoading.value = false;
    return null;
  }
}
