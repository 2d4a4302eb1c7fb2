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
  private readonly byEmail = new Map<string, Set<number>>();
  private nextRevision = 0;

  constructor(
    private readonly log: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'decode'>,
  ) {}

  async withId(id: number): Promise<Actor> {
    if (!this.byId.has(id)) await this.catchUp();
    return this.byId.get(id) ?? { id, name: null, email: null };
  }

  async exists(id: number): Promise<boolean> {
    return (await this.withId(id)).email !== null;
  }

  /** Finds the accounts that have the address, or had it. @param email in any case */
  async idsWithEmail(email: string): Promise<ReadonlySet<number>> {
    await this.catchUp();
    return this.byEmail.get(foldCase(email)) ?? new Set();
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
      this.name({ id, name: event.data.fullName, email: event.data.email });
    if (event.type === 'UserRenamed') this.name({ ...before, name: event.data.to });
    if (event.type === 'UserEmailChanged') this.name({ ...before, email: event.data.to });
  }

  private name(actor: Actor): void {
    this.byId.set(actor.id, actor);
    const key = foldCase(actor.email ?? '');
    this.byEmail.set(key, (this.byEmail.get(key) ?? new Set()).add(actor.id));
  }
}
