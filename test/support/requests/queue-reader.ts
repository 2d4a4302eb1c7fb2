import { eventually } from '../eventually.js';
import { type Api, ConnectionLost } from './api.js';

interface ToldEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number; readonly content: string };
}

const UNAVAILABLE = new Set(['SERVICE_UNAVAILABLE']);

/** A client's queue of message events. Each poll may go to another process. */
export class QueueReader {
  /** Contents of the messages, in the order of their events. */
  readonly contents: string[] = [];
  readonly messageIds: number[] = [];

  private constructor(
    readonly id: string,
    private newest: number,
  ) {}

  /** Id of the newest event that it has read. */
  get lastEventId(): number {
    return this.newest;
  }

  static async register(api: Api): Promise<QueueReader> {
    return eventually(async () => {
      const { result, msg, queue_id, last_event_id } = await api.post('register', { event_types: ['message'] });
      if (result !== 'success') throw new Error(msg);
      return new QueueReader(String(queue_id), Number(last_event_id));
    });
  }

  /** Polls once. A process that cannot answer is asked again at the next poll. */
  async poll(api: Api, block = false): Promise<void> {
    const parameters = { queue_id: this.id, last_event_id: this.newest, dont_block: !block };
    const answer = await api.get('events', parameters).catch((error: unknown) => {
      if (error instanceof ConnectionLost) return null;
      throw error;
    });
    if (answer === null || UNAVAILABLE.has(String(answer.code))) return;
    if (answer.result !== 'success') throw new Error(`${answer.code}: ${answer.msg}`);
    for (const { id, message } of answer.events as ToldEvent[]) {
      this.newest = Math.max(this.newest, id);
      if (!message) continue;
      this.contents.push(message.content);
      this.messageIds.push(message.id);
    }
  }
}
