import { expect } from '@jest/globals';
import type { Client, Params } from './http.js';

/** A client event as a client gets it. */
export interface ClientEvent {
  readonly id: number;
  readonly type: string;
  readonly op?: string;
  // biome-ignore lint/suspicious/noExplicitAny: specs say what they expect of it
  readonly [field: string]: any;
}

/** A client's end of an event queue. Acknowledges events, and fails if ids do not grow. */
export class EventQueue {
  /** All events but heartbeats, in order. */
  readonly events: ClientEvent[] = [];

  private constructor(
    public api: Client,
    readonly id: string,
    public lastEventId: number,
    // biome-ignore lint/suspicious/noExplicitAny: specs say what they expect of it
    readonly state: any,
  ) {}

  static async register(api: Client, params: Params = {}): Promise<EventQueue> {
    const { status, body } = await api.post('/register', params);
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    return new EventQueue(api, body.queue_id, body.last_event_id, body);
  }

  /** Events of one answer, heartbeats included. */
  async poll(params: Params = {}): Promise<ClientEvent[]> {
    const { status, body } = await this.api.get('/events', {
      queue_id: this.id,
      last_event_id: this.lastEventId,
      ...params,
    });
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    const events = body.events as ClientEvent[];
    for (const event of events) {
      // A heartbeat repeats the last id.
      if (event.type === 'heartbeat') expect(event.id).toBe(this.lastEventId);
      else {
        expect(event.id).toBeGreaterThan(this.lastEventId);
        this.events.push(event);
      }
      this.lastEventId = event.id;
    }
    return events;
  }

  /** Reads the events that there are, without waiting. */
  async drain(): Promise<ClientEvent[]> {
    const before = this.events.length;
    while ((await this.poll({ dont_block: true })).length > 0);
    return this.events.slice(before);
  }
}

/** Reads the events that there are, without waiting, and gives them without their ids. */
export const told = async (queue: EventQueue) => (await queue.drain()).map(({ id: _id, ...event }) => event);

/** Gives type and operation: `subscription/add`. */
export const kindOf = ({ type, op }: ClientEvent): string => (op === undefined ? type : `${type}/${op}`);

/** Lists the contents of the message events. */
export const contents = (events: readonly ClientEvent[]): string[] =>
  events.filter(({ type }) => type === 'message').map(({ message }) => message.content);
