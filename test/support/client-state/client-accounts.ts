import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's accounts and bots: registered with, and kept up to date by events. */
export class ClientAccounts {
  private readonly users: Map<number, Fields>;
  private readonly gone: Map<number, Fields>;
  private readonly bots: Map<number, Fields>;
  /** The server sends no URLs of gravatars to such a client. */
  private readonly makesGravatars: boolean;

  constructor({ realm_users = [], realm_non_active_users = [], realm_bots = [], cross_realm_bots = [] }: Fields) {
    this.users = byId(realm_users);
    this.gone = byId(realm_non_active_users);
    this.bots = byId(realm_bots);
    this.makesGravatars = cross_realm_bots.some(({ avatar_url }: Fields) => avatar_url === null);
  }

  /** @returns id of a user whose account was deactivated */
  apply(event: ClientEvent): number | null {
    switch (`${event.type}/${event.op}`) {
      case 'realm_user/add': {
        const { is_active: _told, ...person } = event.person;
        if (this.users.has(person.user_id)) throw new Error(`user ${person.user_id} came twice`);
        this.users.set(person.user_id, person);
        return null;
      }
      case 'realm_user/update':
        return this.onPerson(event.person);
      case 'realm_bot/add':
        if (this.bots.has(event.bot.user_id)) throw new Error(`bot ${event.bot.user_id} came twice`);
        this.bots.set(event.bot.user_id, structuredClone(event.bot));
        return null;
      case 'realm_bot/update':
        Object.assign(found(this.bots, event.bot.user_id), event.bot);
        return null;
      case 'realm_bot/delete':
        found(this.bots, event.bot.user_id);
        this.bots.delete(event.bot.user_id);
        return null;
      default:
        throw new Error(`a client knows no ${JSON.stringify(event)}`);
    }
  }

  get comparable(): Fields {
    return { users: sorted(this.users), gone: sorted(this.gone), bots: sorted(this.bots) };
  }

  private onPerson({ user_id, ...change }: Fields): number | null {
    if ('is_active' in change) return this.onActive(user_id, change.is_active);
    const user = this.users.get(user_id) ?? found(this.gone, user_id);
    const { custom_profile_field: field } = change;
    if ('role' in change) Object.assign(user, change, flagsOf(change.role));
    else if ('new_email' in change) user.email = change.new_email;
    else if ('avatar_url' in change)
      Object.assign(user, {
        avatar_url: this.makesGravatars && change.avatar_source === 'G' ? null : change.avatar_url,
        avatar_version: change.avatar_version,
      });
    else if (field?.value === null) delete user.profile_data[field.id];
    else if (field) {
      const { id, ...said } = field;
      user.profile_data[id] = said;
    } else Object.assign(user, change);
    return null;
  }

  private onActive(userId: number, isActive: boolean): number | null {
    const [from, to] = isActive ? [this.gone, this.users] : [this.users, this.gone];
    to.set(userId, found(from, userId));
    from.delete(userId);
    return isActive ? null : userId;
  }
}

const flagsOf = (role: number) => ({ is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 });

function found(records: ReadonlyMap<number, Fields>, userId: number): Fields {
  const record = records.get(userId);
  if (!record) throw new Error(`user ${userId} changed who was not there`);
  return record;
}

const byId = (records: readonly Fields[]): Map<number, Fields> =>
  new Map(records.map((record) => [record.user_id, structuredClone(record)]));

const sorted = (records: Map<number, Fields>): Fields[] =>
  [...records.entries()].sort(([a], [b]) => a - b).map(([, record]) => record);
