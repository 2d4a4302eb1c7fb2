import type { EventCodec } from '../event-codec/event-codec.js';
import type { EventStore } from '../event-store/event-store.js';
import { fold } from '../kernel/fold.js';
import { USERS_STREAM, type UserEvent } from '../users/domain/users.events.js';

export interface Actor {
  readonly id: number;
  /** null for an id that no account has. */
  readonly name: string | null;
  readonly email: string | null;
}

const PAGE = 1000;

/** Who is behind the ids in the log, read from the log itself: no documents are needed, none are trusted. */
export class Actors {
  private readonly byId = new Map<number, Actor>();
  private nextRevision = 0;

  constructor(
    private readonly log: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'decode'>,
  ) {}

  async withId(id: number): Promise<Actor> {
    if (!this.byId.has(id)) await this.catchUp();
    return this.byId.get(id) ?? { id, name: null, email: null };
  }

  /** @param email in any case */
  async withEmail(email: string): Promise<Actor | undefined> {
    await this.catchUp();
    return [...this.byId.values()].find((actor) => actor.email !== null && fold(actor.email) === fold(email));
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const page = await this.log.readStream(USERS_STREAM, { from: this.nextRevision, limit: PAGE });
      for (const event of (await this.codec.decode(page)) as unknown as UserEvent[]) this.apply(event);
      this.nextRevision += page.length;
      if (page.length < PAGE) return;
    }
  }

  private apply(event: UserEvent): void {
    const { userId: id } = event.data;
    const before = this.byId.get(id) ?? { id, name: null, email: null };
    if (event.type === 'UserCreated' || event.type === 'BotCreated')
      this.byId.set(id, { id, name: event.data.fullName, email: event.data.email });
    if (event.type === 'UserRenamed') this.byId.set(id, { ...before, name: event.data.to });
    if (event.type === 'UserEmailChanged') this.byId.set(id, { ...before, email: event.data.to });
  }
}
