import { get } from '../../platform/api.js';
import { PAST_KINDS, type PastEvent, sourcesOf, type TopicName } from './topic-then.js';

/** Events of a page of the audit. */
const PAGE = '1000';
/** A longer past is not looked at: a browser would hold all of it. */
const MOST_EVENTS = 20_000;
/** Topics that messages came from, one after the other. */
const MOST_TOPICS = 20;

/**
 * Reads what has happened in a topic, and in those from which its messages came, in the order of the log.
 * @param hasWords the reading of words is itself an event
 * @throws Refused; Error if there is too much of it
 */
export async function pastOf(place: TopicName, hasWords: boolean): Promise<readonly PastEvent[]> {
  const byPosition = new Map<number, PastEvent>();
  const known: TopicName[] = [];
  for (let next: readonly TopicName[] = [place]; next.length > 0; next = sourcesOf(known, [...byPosition.values()])) {
    known.push(...next);
    if (known.length > MOST_TOPICS) throw new Error(`The messages came from more than ${MOST_TOPICS} topics.`);
    for (const topic of next) await readEvents(topic, hasWords, byPosition);
  }
  return [...byPosition.values()].sort((a, b) => a.position - b.position);
}

async function readEvents(place: TopicName, hasWords: boolean, into: Map<number, PastEvent>): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const page: Page = await get('/audit/events', {
      channel_id: String(place.channelId),
      topic: place.topic,
      kind: JSON.stringify(PAST_KINDS),
      order: 'oldest',
      limit: PAGE,
      words: String(hasWords),
      after: after === 0 ? '' : String(after),
    });
    for (const event of page.events) into.set(event.position, event);
    if (into.size > MOST_EVENTS)
      throw new Error(
        `The topic has more than ${MOST_EVENTS.toLocaleString('en')} events. “annals audit” prints them.`,
      );
    after = page.cursor;
  }
}

interface Page {
  readonly events: readonly PastEvent[];
  /** null: the end of the log. */
  readonly cursor: number | null;
}
