import { ORGANIZATION_STREAM, type OrganizationEvent } from '../../../events/organization/organization.events.js';
import { USERS_STREAM, type UserEvent } from '../../../events/users/users.events.js';
import type { DomainEvent } from '../../../platform/kernel/event.js';
import type { EventCodec } from '../../../platform/log/event-codec.js';
import type { EventStore } from '../../../platform/log/event-store.js';
import { nameInMails } from '../../../platform/mail/letter.js';

export interface Account {
  readonly email: string;
  /** null: the name holds the address of a page, which mails do not show. */
  readonly fullName: string | null;
}

const PAGE = 1000;

/** Names and addresses of accounts, and the organization's name, as mails show them. Each call reads its stream to the end. */
export class Accounts {
  private readonly byId = new Map<number, Account>();
  private name = '';
  private readonly next = new Map<string, number>();

  constructor(
    private readonly log: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'decode'>,
    /** The server's public URL. */
    private readonly site: () => string,
  ) {}

  /** Finds an account; null if no account has the id. */
  async withId(userId: number): Promise<Account | null> {
    await this.readOn<UserEvent>(USERS_STREAM, (event) => this.applyToAccount(event));
    return this.byId.get(userId) ?? null;
  }

  async organizationName(): Promise<string> {
    await this.readOn<OrganizationEvent>(ORGANIZATION_STREAM, (event) => {
      if (event.type === 'OrganizationCreated') this.name = event.data.name;
      if (event.type === 'RealmSettingChanged' && event.data.setting === 'name') this.name = String(event.data.to);
    });
    return nameInMails(this.name) ?? new URL(this.site()).host;
  }

  private applyToAccount(event: UserEvent): void {
    const { userId } = event.data;
    const before = this.byId.get(userId);
    if (event.type === 'UserCreated' || event.type === 'BotCreated') {
      const { email, fullName } = event.data;
      this.byId.set(userId, { email, fullName: nameInMails(fullName) });
    }
    if (event.type === 'UserRenamed' && before)
      this.byId.set(userId, { ...before, fullName: nameInMails(event.data.to) });
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
