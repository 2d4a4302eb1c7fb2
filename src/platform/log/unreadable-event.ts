import type { StoredEvent } from './event-store.js';

/** Where an event is. An event that cannot be read is named so: its id may be damaged, too. */
export const placeOf = ({ stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>): string =>
  `${stream}@${revision}`;

/** An event is damaged, or its content or address is: nobody can tell what it says. It is named with its place and the reason. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  readonly reason: string;

  constructor(
    readonly event: StoredEvent,
    reason: unknown,
    /** The event as `EventStore.readTexts` gives it, if its JSON is damaged. */
    readonly text?: string,
  ) {
    const why = reason instanceof Error ? reason.message : String(reason);
    const { type, id, position } = event;
    super(`${type} ${id} (${placeOf(event)}, position ${position}) cannot be read: ${why}`, { cause: reason });
    this.reason = why;
  }
}
