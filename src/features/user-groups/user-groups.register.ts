import { Directory } from '../../directory/directory.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { userGroupsForClients } from './queries/groups-for-clients.js';

@ReadsState()
export class UserGroupStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts({ request: { clientCapabilities } }: RegisterContext): StateParts {
    const withDeactivated = clientCapabilities.include_deactivated_groups ?? false;
    return {
      organization: {
        realm_user_groups: () => ({ realm_user_groups: userGroupsForClients(this.directory, withDeactivated) }),
      },
    };
  }
}
