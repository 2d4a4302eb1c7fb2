import type { EventCodec } from '../../src/event-codec/event-codec.js';
import type { EventStore } from '../../src/event-store/event-store.js';
import type { DomainEvent } from '../../src/kernel/event.js';
import { ORGANIZATION_STREAM, type OrganizationEvent } from '../../src/organization/domain/organization.events.js';
import { USERS_STREAM, type UserEvent } from '../../src/users/domain/users.events.js';

export interface Account {
  readonly email: string;
  readonly fullName: string;
}

const PAGE = 1000;

/** Who people are and where they are reached: read from the log itself, as far as it goes when that is asked. */
export class Accounts {
  private readonly byId = new Map<number, Account>();
  private name = '';
  private readonly next = new Map<string, number>();

  constructor(
    private readonly log: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'decode'>,
  ) {}

  /** null for an id that no account has. */
  async withId(userId: number): Promise<Account | null> {
    await this.readOn<UserEvent>(USERS_STREAM, (event) => this.applyToAccount(event));
    return this.byId.get(userId) ?? null;
  }

  async organizationName(): Promise<string> {
    await this.readOn<OrganizationEvent>(ORGANIZATION_STREAM, (event) => {
      if (event.type === 'OrganizationCreated') this.name = event.data.name;
      if (event.type === 'RealmSettingChanged' && event.data.setting === 'name') this.name = String(event.data.to);
    });
    return this.name;
  }

  private applyToAccount(event: UserEvent): void {
    const { userId } = event.data;
    const before = this.byId.get(userId);
    if (event.type === 'UserCreated' || event.type === 'BotCreated') {
      const { email, fullName } = event.data;
      this.byId.set(userId, { email, fullName });
    }
    if (event.type === 'UserRenamed' && before) this.byId.set(userId, { ...before, fullName: event.data.to });
    if (event.type === 'UserEmailChanged' && before) this.byId.set(userId, { ...before, email: event.data.to });
  }

  private async readOn<E extends DomainEvent>(stream: string, apply: (event: E) => void): Promise<void> {
    for (;;) {
      const from = this.next.get(stream) ?? 0;
      const page = await this.log.readStream(stream, { from, limit: PAGE });
      for (const event of await this.codec.decode(page)) apply(event as unknown as E);
      this.next.set(stream, from + page.length);
      if (page.length < PAGE) return;
    }
  }
}
