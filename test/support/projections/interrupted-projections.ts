// Projections for builds that are killed half way. A rebuild thread can load this module.
import type { UserEvent } from '../../../src/events/users/users.events.js';
import type { StoredDocument } from '../../../src/platform/documents/document-store.js';
import { insert, type Projection, projection } from '../../../src/platform/read-models/projection.js';
import { applications, roster } from './roster-projections.js';

const HOUR_MS = 3_600_000;

/** Variable: id of the user at which a build of `builders` or `roster`, which may be in two threads, never goes on. */
export const ENDLESS_AT = 'ENDLESS_AT';

const isEndless = (userId: number): boolean => userId === Number(process.env[ENDLESS_AT]);

const never = (): Promise<[]> => new Promise((resolve) => setTimeout(resolve, HOUR_MS, []));

export interface BuiltUser extends StoredDocument {
  readonly _id: number;
  /** The process that applied the user's event. */
  readonly pid: number;
}

/** Notes which process has applied each event. */
export const builders = projection<UserEvent>({
  name: 'builders',
  version: 1,
  collections: { users: {} },
  on: {
    UserCreated: ({ data }) => {
      if (isEndless(data.userId)) return never();
      const user: BuiltUser = { _id: data.userId, pid: process.pid };
      return [insert('users', user)];
    },
  },
});

const haltingRoster: Projection = {
  ...roster,
  on: {
    ...roster.on,
    UserCreated: (...[event, documents]: Parameters<NonNullable<Projection['on'][string]>>) =>
      'userId' in event.data && isEndless(Number(event.data.userId))
        ? never()
        : (roster.on.UserCreated?.(event, documents) ?? []),
  },
};

export const projections: readonly Projection[] = [haltingRoster, applications, builders];

export { eventRegistry } from '../../../src/events/event-registry.js';
