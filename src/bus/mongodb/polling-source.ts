import { setTimeout } from 'node:timers/promises';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { readAll } from '../../mongodb/read-all.js';
import type { BusMessage, BusMessages } from './bus-messages.js';
import type { MessageSource } from './message-source.js';

/** ms */
const INTERVAL = 100;
/** How far the clocks of publishers may be apart, and how long a write may take to be seen: ms. */
const WINDOW = 10_000;

/**
 * For a server without change streams. Asks for everything that is stamped later than a while before the newest message
 * heard, and leaves out what it has heard: a message that is seen late is heard late. Of each publisher the messages
 * come in its own count, and it writes them in that order.
 */
export class PollingSource implements MessageSource {
  /** Messages heard within the window, by source and count. */
  private heard = new Map<string, Date>();
  private newest: Date | null = null;
  private failed = false;
  private readonly closing = new AbortController();

  /**
   * @param own the process itself, whose messages are left out
   * @param gap called when messages may have been missed
   */
  constructor(
    private readonly connection: MongoConnection,
    private readonly messages: BusMessages,
    private readonly own: string,
    private readonly gap: () => void,
  ) {}

  async open(): Promise<void> {
    this.remember(await this.fresh());
  }

  async next(): Promise<readonly BusMessage[]> {
    await setTimeout(INTERVAL, undefined, { signal: this.closing.signal });
    const fresh = await this.fresh();
    this.remember(fresh);
    // A server that was away may have lost what was not on its disk.
    if (this.failed) this.gap();
    this.failed = false;
    return fresh;
  }

  async close(): Promise<void> {
    this.closing.abort();
  }

  private async fresh(): Promise<BusMessage[]> {
    const since = new Date((this.newest ?? new Date()).getTime() - WINDOW);
    const others = { at: { $gte: since }, '_id.source': { $ne: this.own } };
    try {
      const found = await readAll(this.connection, this.messages.find(others));
      return found.filter((message) => !this.heard.has(nameOf(message))).sort((a, b) => a._id.count - b._id.count);
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }

  private remember(fresh: readonly BusMessage[]): void {
    for (const message of fresh) {
      this.heard.set(nameOf(message), message.at);
      if (!this.newest || message.at > this.newest) this.newest = message.at;
    }
    this.newest ??= new Date();
    const oldest = this.newest.getTime() - WINDOW;
    for (const [name, at] of this.heard) if (at.getTime() < oldest) this.heard.delete(name);
  }
}

function nameOf({ _id }: BusMessage): string {
  return `${_id.source} ${_id.count}`;
}
