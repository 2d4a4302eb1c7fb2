import { Inject } from '@nestjs/common';
import { attachments } from '../../../projections/attachments/attachments.projection.js';
import type { ClientEventOf } from '../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { attachmentAdd, attachmentUpdate } from '../../../projections/client-events/uploads.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import { type ClientEventWriter, type WriteBody, WritesClientEvents } from '../event-queues/client-event-writer.js';
import { type AttachmentForClients, attachmentsById } from './queries/attachments-for-clients.js';

type AttachmentEvent = ClientEventOf<typeof attachmentAdd | typeof attachmentUpdate>;

const isAttachmentEvent = (event: ClientEventDocument): event is AttachmentEvent =>
  attachmentAdd.is(event) || attachmentUpdate.is(event);

/** Describes files as they are when the client event is sent, which may be later than the event. */
@WritesClientEvents()
export class AttachmentClientEvents implements ClientEventWriter {
  readonly kinds = [attachmentAdd, attachmentUpdate];

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async prepare(events: readonly ClientEventDocument[]): Promise<WriteBody> {
    const about = events.filter(isAttachmentEvent);
    await this.readModels.waitFor([attachments, messages], positionOf(about.at(-1)?._id ?? 0));
    const ids = about.map(({ payload }) => payload.attachmentId);
    const found = await attachmentsById(ids, this.readModels);
    return (event) => (isAttachmentEvent(event) ? attachmentBody(event, found) : null);
  }
}

/** null if the file was deleted meanwhile: a later event tells it. */
function attachmentBody(
  { kind, payload }: AttachmentEvent,
  found: ReadonlyMap<number, AttachmentForClients>,
): string | null {
  const attachment = found.get(payload.attachmentId);
  if (!attachment) return null;
  const op = kind === 'attachment/add' ? 'add' : 'update';
  return JSON.stringify({ type: 'attachment', op, attachment, upload_space_used: payload.spaceUsed });
}
