// Projections for builds that are killed half way. A rebuild thread can load this module.
import type { UserEvent } from '../../../src/events/users/users.events.js';
import type { StoredDocument } from '../../../src/platform/documents/document-store.js';
import { insert, type Projection, projection } from '../../../src/platform/read-models/projection.js';
import { applications, roster } from './roster-projections.js';

const HOUR_MS = 3_600_000;

/** Variable: id of the user at which a build of `builders` never goes on. */
export const ENDLESS_AT = 'ENDLESS_AT';

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
      if (data.userId === Number(process.env[ENDLESS_AT]))
        return new Promise((resolve) => setTimeout(resolve, HOUR_MS, []));
      const user: BuiltUser = { _id: data.userId, pid: process.pid };
      return [insert('users', user)];
    },
  },
});

export const projections: readonly Projection[] = [roster, applications, builders];

export { eventRegistry } from '../../../src/events/event-registry.js';
