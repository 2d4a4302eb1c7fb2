import { Inject, Injectable } from '@nestjs/common';
import type { ClientEventOf } from '../../../projections/client-events/client-event.js';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { positionOf } from '../../../projections/client-events/client-events.documents.js';
import { draftsAdd, draftsUpdate } from '../../../projections/client-events/drafts.js';
import { drafts } from '../../../projections/drafts/drafts.projection.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { Addressee, ClientEventWriter, WriteBody } from '../event-queues/client-event-writer.js';
import { type DraftForClients, draftsById } from './queries/drafts-for-clients.js';

type DraftsEvent = ClientEventOf<typeof draftsAdd | typeof draftsUpdate>;

const isDraftsEvent = (event: ClientEventDocument): event is DraftsEvent =>
  draftsAdd.is(event) || draftsUpdate.is(event);

/** Writes drafts as they are now, as of the event or later. */
@Injectable()
export class DraftClientEvents implements ClientEventWriter {
  readonly kinds = [draftsAdd, draftsUpdate];

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async prepare(events: readonly ClientEventDocument[], { reader }: Addressee): Promise<WriteBody> {
    const about = events.filter(isDraftsEvent);
    await this.readModels.waitFor([drafts], positionOf(about.at(-1)?._id ?? 0));
    const ids = about.flatMap(({ payload }) => payload.draftIds);
    const found = await draftsById(reader._id, ids, this.readModels);
    return (event) => (isDraftsEvent(event) ? draftsBody(event, found) : null);
  }
}

/** null if the drafts are deleted: a later event tells so. */
function draftsBody({ kind, payload }: DraftsEvent, found: ReadonlyMap<number, DraftForClients>): string | null {
  const remaining = payload.draftIds.flatMap((id) => found.get(id) ?? []);
  if (remaining.length === 0) return null;
  if (kind === 'drafts/add') return JSON.stringify({ type: 'drafts', op: 'add', drafts: remaining });
  return JSON.stringify({ type: 'drafts', op: 'update', draft: remaining[0] });
}
