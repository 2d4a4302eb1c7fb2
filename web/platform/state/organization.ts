import type { ClientEvent, Registered } from '../client-events.js';

/** The settings of the organization by their names in `PATCH /realm`, its icon, and others of its facts. */
export type Organization = Readonly<Record<string, unknown>>;

const PREFIX = 'realm_';

/** Lists of an organization, which other events change. */
const LISTS: ReadonlySet<string> = new Set(['realm_users', 'realm_non_active_users', 'realm_emoji']);

export const initialOrganization = (state: Registered): Organization =>
  Object.fromEntries(
    Object.entries(state)
      .filter(([name]) => name.startsWith(PREFIX) && !LISTS.has(name))
      .map(([name, value]) => [name.slice(PREFIX.length), value]),
  );

export function evolveOrganization(organization: Organization, event: ClientEvent): Organization {
  if (event.type !== 'realm') return organization;
  switch (event.op) {
    case 'update':
      return { ...organization, [event.property]: event.value };
    case 'update_dict':
      return { ...organization, ...event.data };
    default:
      return organization;
  }
}
