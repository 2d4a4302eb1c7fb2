import { Injectable } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
import type { RegisterContext, StateParts, StateReader } from '../event-queues/state-reader.js';
import { botState, userState } from './register/user-state.js';

@Injectable()
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
