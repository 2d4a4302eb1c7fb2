import { Inject, Injectable } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
import { SYNCHRONIZATION } from '../../events/drafts/drafts.events.js';
import { userSetting } from '../../events/personal/user.settings.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { RegisterContext, StateParts, StateReader } from '../event-queues/state-reader.js';
import { draftsOf } from './queries/drafts-for-clients.js';

@Injectable()
export class DraftStateReader implements StateReader {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  parts({ reader }: RegisterContext): StateParts {
    const keepsDrafts = userSetting(this.directory.user(reader._id)?.settings, SYNCHRONIZATION);
    return {
      own: {
        part: 'drafts',
        names: ['drafts'],
        read: async (_names, at) => {
          // Documents that lag may still have drafts, and no client event tells of their deletion.
          if (!keepsDrafts) return { state: { drafts: [] }, position: at };
          const { drafts, position } = await draftsOf(reader._id, this.readModels, at);
          return { state: { drafts }, position };
        },
      },
    };
  }
}
