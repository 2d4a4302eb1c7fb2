import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's alert words, muted users and topic policies: registered with, and kept up to date by events. */
export class ClientPersonal {
  private readonly topics: Map<string, Fields>;
  private alertWords: readonly string[];
  private mutedUsers: readonly Fields[];

  constructor({ user_topics = [], alert_words = [], muted_users = [] }: Fields) {
    this.topics = new Map((user_topics as Fields[]).map((topic) => [keyOf(topic), topic]));
    this.alertWords = alert_words;
    this.mutedUsers = muted_users;
  }

  apply({ id: _id, ...event }: ClientEvent): void {
    switch (event.type) {
      case 'alert_words':
        this.alertWords = event.alert_words;
        return;
      case 'muted_users':
        this.mutedUsers = event.muted_users;
        return;
      case 'user_topic': {
        const { type: _type, ...topic } = event;
        if (topic.visibility_policy === 0) this.topics.delete(keyOf(topic));
        else this.topics.set(keyOf(topic), topic);
        return;
      }
      default:
        throw new Error(`a client knows no ${JSON.stringify(event)}`);
    }
  }

  get comparable(): Fields {
    const topics = [...this.topics.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, topic]) => topic);
    return { topics, alertWords: this.alertWords, mutedUsers: this.mutedUsers };
  }
}

const keyOf = ({ stream_id, topic_name }: Fields): string => `${stream_id}/${topic_name.toLowerCase()}`;
