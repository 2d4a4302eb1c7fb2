import { signal } from '@preact/signals';
import { get, type Parameters } from '../../platform/api.js';
import { type Bar, barsOf, type Counted, widthFor } from './activity.js';

/** All events of the question by time, as far as they are counted; null: they are not. */
export const whole = signal<readonly Bar[] | null>(null);
/** Whether some are not counted yet. */
export const isCounting = signal(false);

let newest = 0;

/** Forgets what was counted for another question. */
export function forgetWhole(): void {
  newest += 1;
  whole.value = null;
  isCounting.value = false;
}

/**
 * Counts all events of a question, some at a time, until they are forgotten.
 * @param until when the newest of them was: ISO 8601
 * @throws Refused, unless they are forgotten
 */
export async function countWhole(parameters: Parameters, until: string): Promise<void> {
  const own = newest;
  isCounting.value = true;
  try {
    await count(parameters, until, () => own === newest);
  } catch (error) {
    if (own === newest) throw error;
  } finally {
    if (own === newest) isCounting.value = false;
  }
}

async function count(parameters: Parameters, until: string, isWanted: () => boolean): Promise<void> {
  const { events } = await get('/audit/events', { ...parameters, order: 'oldest', limit: '1' });
  const [oldest] = events;
  const width = widthFor(Date.parse(oldest?.time ?? until), Date.parse(until));
  const counted: Counted[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof askActivity>> = await askActivity(parameters, width, after);
    if (!isWanted()) return;
    counted.push(...page.parts.map(({ time, events }) => ({ at: Date.parse(time), count: events })));
    whole.value = barsOf(counted, width);
    after = page.cursor;
  }
}

const askActivity = (parameters: Parameters, width: number, after: number) =>
  get('/audit/activity', { ...parameters, width: String(width / 1000), after: after === 0 ? '' : String(after) });
