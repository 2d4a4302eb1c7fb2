import type { Place } from './places.js';
import { channels, people } from './store.js';

/** What the API calls a topic without a name. */
const NO_TOPIC = 'general chat';

export const topicName = (topic: string): string => topic || NO_TOPIC;

export function nameOf(place: Place): string {
  switch (place.kind) {
    case 'topic':
      return `${channelName(place.channelId)} > ${topicName(place.topic)}`;
    case 'channel':
      return channelName(place.channelId);
    case 'direct':
      return place.userIds.map((id) => people.value.get(id)?.full_name ?? 'Somebody').join(', ') || 'Notes to myself';
    case 'search':
      return `Search: ${place.words}`;
    case 'recent':
      return 'Recent conversations';
    case 'mentions':
      return 'Mentions';
    case 'starred':
      return 'Starred messages';
    case 'drafts':
      return 'Drafts';
    case 'scheduled':
      return 'Scheduled and reminders';
  }
}

const channelName = (id: number): string => `#${channels.value.get(id)?.name ?? id}`;
