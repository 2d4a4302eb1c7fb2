import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { RegisterContext, StateParts, StateReader } from '../event-queues/state-reader.js';
import { snippetsOf } from './queries/snippets-for-clients.js';

@Injectable()
export class SavedSnippetStateReader implements StateReader {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  parts({ reader }: RegisterContext): StateParts {
    return {
      own: {
        part: 'saved_snippets',
        names: ['saved_snippets'],
        read: async (_names, at) => {
          const { snippets, position } = await snippetsOf(reader._id, this.readModels, at);
          return { state: { saved_snippets: snippets }, position };
        },
      },
    };
  }
}
