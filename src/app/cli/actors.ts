import { USERS_STREAM, type UserEvent } from '../../events/users/users.events.js';
import { foldCase } from '../../platform/kernel/fold-case.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore } from '../../platform/log/event-store.js';

export interface Actor {
  readonly id: number;
  /** null if no account has the id. */
  readonly name: string | null;
  readonly email: string | null;
}

const PAGE = 1000;

/** Finds the accounts behind the ids in the log, from the log alone: no documents are needed or trusted. */
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
    return [...this.byId.values()].find((actor) => actor.email !== null && foldCase(actor.email) === foldCase(email));
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
