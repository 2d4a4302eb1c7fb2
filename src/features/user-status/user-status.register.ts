import { Facts } from '../../directory/facts.js';
import { ReadsState, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { allStatuses, isAway, statusForClients } from './queries/statuses.js';

const PART = 'user_status';

/** The statuses of all users who have one, by user. */
@ReadsState()
export class UserStatusStateReader implements StateReader {
  constructor(private readonly facts: Facts) {}

  parts(): StateParts {
    const { directory, readModels } = this.facts;
    return {
      own: {
        part: PART,
        names: [PART],
        read: async (_names, at) => {
          const { found, position } = await allStatuses(readModels, at);
          const statuses = new Map(found.map((status) => [status.userId, status]));
          const away = directory.allUsers().filter(isAway);
          const ids = new Set([...statuses.keys(), ...away.map(({ _id }) => _id)]);
          const shown = [...ids].map((id) => [id, statusForClients(directory.user(id), statuses.get(id))]);
          return {
            state: { user_status: Object.fromEntries(shown) },
            position: Math.min(position, directory.position),
          };
        },
      },
    };
  }
}
