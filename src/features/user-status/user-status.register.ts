import { Facts } from '../../directory/facts.js';
import { ObjectInTurns } from '../../platform/kernel/object-in-turns.js';
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
          // As they are at this position; records of the directory never change.
          const facts = [...ids]
            .sort((a, b) => a - b)
            .map((id) => [String(id), { user: directory.user(id), status: statuses.get(id) }] as const);
          return {
            state: { user_status: new ObjectInTurns(facts, ({ user, status }) => statusForClients(user, status)) },
            position: Math.min(position, directory.position),
          };
        },
      },
    };
  }
}
