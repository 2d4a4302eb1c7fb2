import type { ClientEventDocument } from '../../../projections/client-events.documents.js';
import type { AttachmentForClients } from '../../uploads/queries/attachments-for-clients.js';

/** Events that tell all there is to a file. */
export type AttachmentEvent = Extract<ClientEventDocument, { readonly kind: 'attachment/add' | 'attachment/update' }>;

export const isOfAttachment = (event: ClientEventDocument): event is AttachmentEvent =>
  event.kind === 'attachment/add' || event.kind === 'attachment/update';

/** null for a file that is gone: what follows tells so. */
export function attachmentBody(
  { kind, payload }: AttachmentEvent,
  attachments: ReadonlyMap<number, AttachmentForClients>,
): string | null {
  const attachment = attachments.get(payload.attachmentId);
  if (!attachment) return null;
  const op = kind === 'attachment/add' ? 'add' : 'update';
  return JSON.stringify({ type: 'attachment', op, attachment, upload_space_used: payload.spaceUsed });
}
