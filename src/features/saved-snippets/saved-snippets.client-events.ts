import { Inject, Injectable } from '@nestjs/common';
import type { ClientEventOf } from '../../../projections/client-events/client-event.js';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { positionOf } from '../../../projections/client-events/client-events.documents.js';
import { savedSnippetsAdd, savedSnippetsUpdate } from '../../../projections/client-events/saved-snippets.js';
import { savedSnippets } from '../../../projections/saved-snippets/saved-snippets.projection.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { Addressee, ClientEventWriter, WriteBody } from '../event-queues/client-event-writer.js';
import { snippetsById } from './queries/snippets-for-clients.js';

type SnippetEvent = ClientEventOf<typeof savedSnippetsAdd | typeof savedSnippetsUpdate>;

const isSnippetEvent = (event: ClientEventDocument): event is SnippetEvent =>
  savedSnippetsAdd.is(event) || savedSnippetsUpdate.is(event);

/** Writes snippets as they are now, as of the event or later. */
@Injectable()
export class SavedSnippetClientEvents implements ClientEventWriter {
  readonly kinds = [savedSnippetsAdd, savedSnippetsUpdate];

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async prepare(events: readonly ClientEventDocument[], { reader }: Addressee): Promise<WriteBody> {
    const about = events.filter(isSnippetEvent);
    await this.readModels.waitFor([savedSnippets], positionOf(about.at(-1)?._id ?? 0));
    const ids = about.map(({ payload }) => payload.snippetId);
    const found = await snippetsById(reader._id, ids, this.readModels);
    return (event) => {
      if (!isSnippetEvent(event)) return null;
      // If the snippet is deleted, a later event tells it.
      const saved_snippet = found.get(event.payload.snippetId);
      const op = savedSnippetsAdd.is(event) ? 'add' : 'update';
      return saved_snippet ? JSON.stringify({ type: 'saved_snippets', op, saved_snippet }) : null;
    };
  }
}
