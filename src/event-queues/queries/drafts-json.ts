import type { ClientEventDocument, ClientEventOf } from '../../../projections/client-events.documents.js';
import type { DraftForClients } from '../../drafts/queries/drafts-for-clients.js';

/** Events that tell drafts, as they are by then. */
export type DraftsEvent = ClientEventOf<'drafts/add'> | ClientEventOf<'drafts/update'>;

export const isOfDrafts = (event: ClientEventDocument): event is DraftsEvent =>
  event.kind === 'drafts/add' || event.kind === 'drafts/update';

/** null where they are gone: what follows tells so. */
export function draftsBody(
  { kind, payload }: DraftsEvent,
  drafts: ReadonlyMap<number, DraftForClients>,
): string | null {
  const left = payload.draftIds.flatMap((id) => drafts.get(id) ?? []);
  if (left.length === 0) return null;
  if (kind === 'drafts/add') return JSON.stringify({ type: 'drafts', op: 'add', drafts: left });
  return JSON.stringify({ type: 'drafts', op: 'update', draft: left[0] });
}
