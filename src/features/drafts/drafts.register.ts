import { Inject, Injectable } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
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
    const keepsDrafts = userSetting(this.directory.user(reader._id)?.settings, 'enable_drafts_synchronization');
    return {
      own: {
        part: 'drafts',
        names: ['drafts'],
        read: async (_names, at) => {
          // The setting hides drafts that are still to be deleted: no event tells of their deletion.
          if (!keepsDrafts) return { state: { drafts: [] }, position: at };
          const { drafts, position } = await draftsOf(reader._id, this.readModels, at);
          return { state: { drafts }, position };
        },
      },
    };
  }
}
