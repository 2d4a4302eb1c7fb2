import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's flags: unread messages with their places and mentions, and starred messages. */
export class ClientFlags {
  private readonly unread = new Set<number>();
  private readonly placeOf = new Map<number, string>();
  private readonly starred: Set<number>;
  private readonly called: Set<number>;

  constructor({ unread_msgs: { streams, pms, huddles, mentions }, starred_messages }: Fields) {
    this.starred = new Set(starred_messages);
    this.called = new Set(mentions);
    for (const { stream_id, unread_message_ids } of streams) this.come(channel(stream_id), unread_message_ids);
    for (const { unread_message_ids } of [...pms, ...huddles]) this.come('direct', unread_message_ids);
  }

  /** Leaves out unread messages of unknown channels: the client is not told when they are read. */
  comparable(has: (channelId: number) => boolean): Fields {
    const byId = (a: number, b: number): number => a - b;
    const isShown = (place = ''): boolean => place === 'direct' || has(Number(place.slice('channel '.length)));
    const unread = [...this.unread].filter((id) => isShown(this.placeOf.get(id)));
    unread.sort(byId);
    const called = unread.filter((id) => this.called.has(id));
    return { unread, called, starred: [...this.starred].sort(byId) };
  }

  /** Adds messages that are new to the client. */
  come(place: string, ids: readonly number[]): void {
    for (const id of ids) {
      if (this.unread.has(id)) throw new Error(`message ${id} is unread twice`);
      this.unread.add(id);
      this.placeOf.set(id, place);
    }
  }

  /** Takes over whether the content of a message mentions the user. */
  say(id: number, flags: readonly string[]): void {
    if (flags.includes('mentioned')) this.called.add(id);
    else this.called.delete(id);
  }

  apply({ op, flag, messages, all, message_details }: ClientEvent): void {
    if (all) {
      this.unread.clear();
      return;
    }
    for (const id of messages) {
      if (flag === 'starred') {
        if (op === 'add') this.starred.add(id);
        else this.starred.delete(id);
      }
      if (flag !== 'read') continue;
      if (op === 'add') this.unread.delete(id);
      else {
        const { type, stream_id, mentioned } = message_details[id];
        this.say(id, mentioned ? ['mentioned'] : []);
        this.unread.add(id);
        this.placeOf.set(id, type === 'stream' ? channel(stream_id) : 'direct');
      }
    }
  }

  /** Moves messages to another channel. */
  move({ message_ids, new_stream_id }: ClientEvent): void {
    if (new_stream_id === undefined) return;
    for (const id of message_ids) if (this.placeOf.has(id)) this.placeOf.set(id, channel(new_stream_id));
  }

  /** Removes the messages of a channel that the user left. */
  leave(channelId: number): void {
    for (const id of [...this.unread]) if (this.placeOf.get(id) === channel(channelId)) this.unread.delete(id);
  }

  drop(id: number): void {
    this.unread.delete(id);
    this.starred.delete(id);
  }
}

const channel = (channelId: number): string => `channel ${channelId}`;
