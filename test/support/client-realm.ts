import { withoutMember } from './client-groups.js';
import type { ClientEvent } from './event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** Lists of the state that events replace as a whole, by the event's type: where each is in state and event. */
const LISTS: Readonly<Record<string, readonly [inState: string, inEvent: string]>> = {
  custom_profile_fields: ['custom_profile_fields', 'fields'],
  realm_linkifiers: ['realm_linkifiers', 'realm_linkifiers'],
  realm_playgrounds: ['realm_playgrounds', 'realm_playgrounds'],
};

/** What older clients are told at first, and work out themselves from then on; and what other parts keep. */
const NOT_SETTINGS =
  /^realm_(create_\w+_policy|wildcard_mention_policy|users|non_active_users|user_groups|bots|default_streams|linkifiers|playgrounds|filters)$/;

/** What a client makes of the organisation's settings and lists, and of the events that follow. */
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

  /** The account has ended: no event tells that no permission names it any more. */
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
