import type { ClientEvent } from '../requests/event-queue.js';
import { withoutMember } from './client-groups.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** Lists that events replace as a whole, by the event's type: the names of the list in state and event. */
const LISTS: Readonly<Record<string, readonly [inState: string, inEvent: string]>> = {
  custom_profile_fields: ['custom_profile_fields', 'fields'],
  realm_linkifiers: ['realm_linkifiers', 'realm_linkifiers'],
  realm_playgrounds: ['realm_playgrounds', 'realm_playgrounds'],
  realm_emoji: ['realm_emoji', 'realm_emoji'],
};

/** Properties that this part does not compare: older clients work them out, or other parts keep them. */
const NOT_SETTINGS =
  /^realm_(create_\w+_policy|wildcard_mention_policy|users|non_active_users|user_groups|bots|default_streams|linkifiers|playgrounds|emoji|filters)$/;

/** A client's settings and lists of the organization: registered with, and kept up to date by events. */
export class ClientRealm {
  private readonly settings: Fields;
  private readonly lists: Fields;

  constructor(state: Fields) {
    const settings = Object.entries(state).filter(([name]) => name.startsWith('realm_') && !NOT_SETTINGS.test(name));
    this.settings = structuredClone(Object.fromEntries(settings));
    this.lists = Object.fromEntries(Object.values(LISTS).map(([name]) => [name, state[name]]));
  }

  apply(event: ClientEvent): void {
    const list = LISTS[event.type];
    if (list) this.lists[list[0]] = event[list[1]];
    else if (event.op === 'update') this.set(event.property, event.value);
    else for (const [name, value] of Object.entries(event.data)) this.set(name, structuredClone(value));
  }

  /** Removes a deactivated account from permissions. No event tells this. */
  drop(userId: number): void {
    withoutMember(this.settings, userId);
  }

  get comparable(): Fields {
    return { settings: this.settings, lists: this.lists };
  }

  private set(name: string, value: unknown): void {
    const key = `realm_${name}`;
    if (!(key in this.settings)) throw new Error(`${name} changed, and was not told at first`);
    this.settings[key] = value;
  }
}
