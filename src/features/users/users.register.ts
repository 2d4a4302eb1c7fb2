import { Directory } from '../../directory/directory.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { botState, userState } from './register/user-state.js';

@ReadsState()
export class UserStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts({ reader, request: { clientGravatar } }: RegisterContext): StateParts {
    return {
      organization: {
        realm_bot: () => botState(reader, this.directory),
        realm_user: () => userState(reader, this.directory, { clientGravatar }),
      },
    };
  }
}
