import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
  SPACE,
  SPACE_ID,
  type UploadSpaceDocument,
} from '../../../../projections/attachments/attachments.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { type AttachmentForClients, attachmentsForClients } from './attachments-for-clients.js';

/** Lists a user's files, oldest first, with the space that all files of the organization take. */
export class GetAttachments extends Query<{ ownerId: number }, OwnAttachments> {}

interface OwnAttachments {
  readonly attachments: readonly AttachmentForClients[];
  /** Bytes, of all users' files. */
  readonly spaceUsed: number;
}

@QueryHandler(GetAttachments)
export class GetAttachmentsHandler implements IQueryHandler<GetAttachments> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ ownerId }: GetAttachments): Promise<OwnAttachments> {
    const { readModels } = this;
    await readModels.waitFor([attachments], readModels.position(messages));
    const space = await readModels.collection<UploadSpaceDocument>(attachments, SPACE).findOne({ _id: SPACE_ID });
    const files = await readModels
      .collection<AttachmentDocument>(attachments, ATTACHMENTS)
      .find({ ownerId }, { sort: { _id: 1 } });
    return { attachments: await attachmentsForClients(files, readModels), spaceUsed: space?.bytes ?? 0 };
  }
}
