import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { JsonObject } from '../../kernel/json.js';
import { isAmong } from './audience.js';
import type { EphemeralEvent } from './ephemeral-event.js';
import type { WaitingPolls } from './waiting-polls.js';

/** All that a process holds for queues that are between two polls. */
const MOST_HELD = 1000;
const HELD_MS = 60_000;

interface Held {
  readonly event: EphemeralEvent;
  /** From 1, without gaps. */
  readonly number: number;
  /** When this process heard of it, milliseconds since 1970. */
  readonly at: number;
}

/**
 * The newest ephemeral events, in memory, and how far each queue has been given them. A queue that this process has not
 * given any gets those that came since it was registered: one that goes from process to process may get one twice.
 */
export class EphemeralTail {
  private held: Held[] = [];
  private newest = 0;
  /** Number of the newest that a queue has been given; forgotten when all that are held are newer. */
  private readonly given = new Map<string, number>();

  constructor(
    private readonly directory: Directory,
    private readonly waiting: Pick<WaitingPolls, 'nudge'>,
    private readonly now: () => number = Date.now,
  ) {}

  add(event: EphemeralEvent): void {
    this.held.push({ event, number: ++this.newest, at: this.now() });
    this.forgetOld();
    const { userIds, ...rules } = event.audience;
    const named = Object.keys(rules).length === 0 ? userIds : undefined;
    this.waiting.nudge((queue) => this.bodyFor(queue, event) !== null, named);
  }

  /** What has come for the queue since it was asked last, in order; never the same again. */
  take(queue: EventQueueDocument): readonly JsonObject[] {
    this.forgetOld();
    if (this.held.length === 0) return [];
    const given = this.given.get(queue._id) ?? 0;
    this.given.set(queue._id, this.newest);
    if (given === this.newest) return [];
    return this.held.flatMap(({ event, number, at }) => {
      const isNew = given > 0 ? number > given : at >= queue.registeredAt;
      const body = isNew ? this.bodyFor(queue, event) : null;
      return body ? [body] : [];
    });
  }

  private bodyFor(queue: EventQueueDocument, event: EphemeralEvent): JsonObject | null {
    const { userId, eventTypes, clientCapabilities } = queue;
    if (eventTypes && !eventTypes.includes(event.type)) return null;
    const form = event.forms.find(({ needs }) => needs.every((capability) => clientCapabilities[capability]));
    // Whoever would be found by an event that came now.
    const isTheirs = form && isAmong(userId, event.audience, this.directory.position + 1, this.directory);
    return isTheirs ? form.body : null;
  }

  private forgetOld(): void {
    const oldest = this.now() - HELD_MS;
    const kept = this.held.findIndex(({ at }) => at >= oldest);
    const dropped = Math.max(kept === -1 ? this.held.length : kept, this.held.length - MOST_HELD);
    if (dropped === 0) return;
    this.held = this.held.slice(dropped);
    const first = this.newest - this.held.length + 1;
    for (const [queueId, number] of this.given) if (number < first) this.given.delete(queueId);
  }
}
