import { Controller, Delete, Get, Inject, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { API_PREFIX } from '../../../platform/http/api-prefix.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import { DomainError, refuse } from '../../../platform/kernel/deciding.js';
import { DeleteFile, UploadFile } from '../domain/upload-file.js';
import { MIB, UPLOAD_SETTINGS, type UploadSettings } from '../domain/upload-settings.js';
import type { AttachmentForClients } from '../queries/attachments-for-clients.js';
import { GetAttachments, GetFile } from '../queries/uploads.queries.js';
import { TemporaryUrls } from '../services/temporary-urls.js';
import { ENCODED_FILE_ROUTE, FILE_ROUTES, UPLOADS_ROUTE } from '../uploads.routes.js';
import { FilePath } from './file-path.decorator.js';

@Controller()
export class UploadsController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly temporaryUrls: TemporaryUrls,
    @Inject(UPLOAD_SETTINGS) private readonly settings: UploadSettings,
  ) {}

  @Post(UPLOADS_ROUTE)
  @StreamsBody()
  async upload(
    @Caller() { user, by }: Caller,
    @Streamed() body: StreamedBody,
  ): Promise<{ uri: string; url: string; filename: string }> {
    const limit = this.settings.maxFileMib;
    const file = await body.file(limit * MIB, { tooLarge: new DomainError('FILE_TOO_LARGE', { limit }) });
    const { pathId, name } = await this.dispatch.do(new UploadFile({ file, ownerId: user._id, by }));
    const url = `/${UPLOADS_ROUTE}/${pathId}`;
    return { uri: url, url, filename: name };
  }

  /** Gives a temporary URL for the file. The file's own URL is outside of the API. */
  @Get([...FILE_ROUTES, ENCODED_FILE_ROUTE].map((route) => `${API_PREFIX}/${route}`))
  async temporaryUrl(@Caller() { user }: Caller, @FilePath() path: FilePath): Promise<{ url: string }> {
    const file = await this.dispatch.ask(new GetFile({ reader: user, path }));
    const { attachmentId, pathName } = file ?? refuse('FILE_NOT_FOUND');
    const token = await this.temporaryUrls.tokenFor(attachmentId);
    return { url: `/${UPLOADS_ROUTE}/temporary/${token}/${encodeURIComponent(pathName)}` };
  }
}

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
