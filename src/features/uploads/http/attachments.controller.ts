import { Controller, Delete, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { DeleteFile } from '../domain/delete-file.js';
import type { AttachmentForClients } from '../queries/attachments-for-clients.js';
import { GetAttachments } from '../queries/get-attachments.handler.js';

const ID = /^[1-9]\d{0,14}$/;

@Controller('attachments')
export class AttachmentsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async own(
    @Caller() { user }: Caller,
  ): Promise<{ attachments: readonly AttachmentForClients[]; upload_space_used: number }> {
    const { attachments, spaceUsed } = await this.dispatch.ask(new GetAttachments({ ownerId: user._id }));
    return { attachments, upload_space_used: spaceUsed };
  }

  @Delete(':attachment_id')
  async delete(@Caller() { user, by }: Caller, @PathText('attachment_id') text: string): Promise<void> {
    const attachmentId = ID.test(text) ? Number(text) : refuse('INVALID_ATTACHMENT');
    await this.dispatch.do(new DeleteFile({ attachmentId, userId: user._id, by }));
  }
}
