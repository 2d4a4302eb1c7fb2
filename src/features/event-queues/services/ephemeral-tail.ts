import type { FactoryProvider } from '@nestjs/common';
import type { Audience } from '../../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isAmong } from '../queries/audience.js';
import { WaitingPolls } from './waiting-polls.js';

/** An event that is delivered and not stored (D13): it is in no log and no document. */
export interface EphemeralEvent {
  /** Name in `event_types`. */
  readonly type: 'typing' | 'typing_edit_message' | 'presence';
  /** Evaluated as of the process's receipt of the event. */
  readonly audience: Audience;
  /** A client gets the first form whose capabilities it has, or none. */
  readonly forms: readonly EphemeralForm[];
}

export interface EphemeralForm {
  readonly needs: readonly string[];
  /** The published fields, but for `id`. */
  readonly body: JsonObject;
}

/** Events that a process holds for clients between two polls, at most. */
const MOST_HELD = 1000;
const HELD_MS = 60_000;

interface Held {
  readonly event: EphemeralEvent;
  /** From 1, without gaps. */
  readonly number: number;
  /** When this process received it, milliseconds since 1970. */
  readonly at: number;
  /** Position of the log that this process knew then: stored events up to it happened before. */
  readonly position: Position;
}

/**
 * The newest ephemeral events, in memory, and the newest that each queue has been given. A queue that is new to this
 * process gets the events since its registration, so a client that changes processes may get an event twice.
 */
export class EphemeralTail {
  private held: Held[] = [];
  private newest = 0;
  /** Number of the newest event given, by queue id; dropped when every held event is newer. */
  private readonly given = new Map<string, number>();

  constructor(
    private readonly directory: Directory,
    private readonly waiting: Pick<WaitingPolls, 'nudge'>,
    private readonly now: () => number = Date.now,
  ) {}

  add(event: EphemeralEvent): void {
    this.held.push({ event, number: ++this.newest, at: this.now(), position: this.directory.position });
    this.forgetOld();
    const { userIds, ...rules } = event.audience;
    const named = Object.keys(rules).length === 0 ? userIds : undefined;
    this.waiting.nudge((queue) => this.bodyFor(queue, event) !== null, named);
  }

  /**
   * Gives a queue its events since its last poll, in order, each once.
   *
   * @param accept false: this event and the later ones wait for the next poll
   */
  give(queue: EventQueueDocument, accept: (body: JsonObject, position: Position) => boolean): void {
    this.forgetOld();
    const given = this.given.get(queue._id) ?? 0;
    if (this.held.length === 0 || given === this.newest) return;
    const refused = this.held.find(({ event, number, at, position }) => {
      const isNew = given > 0 ? number > given : at >= queue.registeredAt;
      const body = isNew ? this.bodyFor(queue, event) : null;
      return body !== null && !accept(body, position);
    });
    this.given.set(queue._id, refused ? refused.number - 1 : this.newest);
  }

  private bodyFor(queue: EventQueueDocument, event: EphemeralEvent): JsonObject | null {
    const { userId, eventTypes, clientCapabilities } = queue;
    if (eventTypes && !eventTypes.includes(event.type)) return null;
    const form = event.forms.find(({ needs }) => needs.every((capability) => clientCapabilities[capability]));
    // As of now: an event at the next position would have this audience.
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

export const ephemeralTail: FactoryProvider<EphemeralTail> = {
  provide: EphemeralTail,
  inject: [Directory, WaitingPolls],
  useFactory: (directory: Directory, waiting: WaitingPolls) => new EphemeralTail(directory, waiting),
};
