import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import type { Directory } from '../../../directory/directory.js';
import type { SubscriptionRecord } from '../../../directory/directory.records.js';
import { isFor } from './audience.js';

/**
 * Events that arrived together, grouped by the form of their audience. A thousand waiting users then cost a thousand
 * look-ups for each channel instead of each message.
 */
export class EventBatch {
  /** Events only for the subscribers of one channel: messages. */
  private readonly byChannel = new Map<number, ClientEventDocument[]>();
  private readonly byUser = new Map<number, ClientEventDocument[]>();
  private readonly others: ClientEventDocument[] = [];

  constructor(
    events: readonly ClientEventDocument[],
    private readonly directory: Directory,
  ) {
    for (const event of events) {
      const { subscribersOf, userIds, ...more } = event.audience;
      const isOneRule = Object.keys(more).length === 0;
      if (isOneRule && userIds === undefined && subscribersOf !== undefined)
        listIn(this.byChannel, subscribersOf).push(event);
      else if (isOneRule && userIds !== undefined && subscribersOf === undefined)
        for (const userId of userIds) listIn(this.byUser, userId).push(event);
      else this.others.push(event);
    }
  }

  /** The user's events, in order. */
  for(userId: number): readonly ClientEventDocument[] {
    const lists: (readonly ClientEventDocument[])[] = [];
    const isTheirs = (event: ClientEventDocument): boolean => isFor(userId, event, this.directory);
    for (const [channelId, events] of this.byChannel) {
      const subscription = this.directory.subscriptionsIn(channelId).get(userId);
      if (subscription) lists.push(isThroughout(subscription, events[0]) ? events : events.filter(isTheirs));
    }
    const own = this.byUser.get(userId);
    if (own) lists.push(own);
    if (this.others.length > 0) lists.push(this.others.filter(isTheirs));
    const [only, ...more] = lists;
    if (more.length === 0) return only ?? [];
    return lists.flat().sort((a, b) => a._id - b._id);
  }
}

/** Whether the subscription began before the first event and has not ended. */
function isThroughout({ intervals }: SubscriptionRecord, first: ClientEventDocument | undefined): boolean {
  const last = intervals.at(-1);
  return first !== undefined && last?.to === null && last.from < positionOf(first._id);
}

function listIn<K>(lists: Map<K, ClientEventDocument[]>, key: K): ClientEventDocument[] {
  const list = lists.get(key);
  if (list) return list;
  const made: ClientEventDocument[] = [];
  lists.set(key, made);
  return made;
}
