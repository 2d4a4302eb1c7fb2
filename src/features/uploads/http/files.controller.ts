import { Readable } from 'node:stream';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { TemporaryUrls } from '../commands/temporary-urls.js';
import { type FoundFile, GetFile, GetLinkedFile } from '../queries/get-file.handler.js';
import { ReadFile } from '../queries/read-file.handler.js';
import { DOWNLOAD_ROUTES, ENCODED_FILE_ROUTE, FILE_ROUTES, TEMPORARY_ROUTE } from '../upload-routes.js';
import { describeFile, describeLength, hasIt, rangeOf } from './file-answer.js';
import { FilePath } from './file-path.decorator.js';

/** Serves files at the URLs that messages link to. */
@TakesNoTurn()
@Controller()
export class FilesController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly temporaryUrls: TemporaryUrls,
  ) {}

  @Get([...FILE_ROUTES, ENCODED_FILE_ROUTE])
  async file(
    @Caller() { user }: Caller,
    @FilePath() path: FilePath,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(await this.dispatch.ask(new GetFile({ reader: user, path })), request, reply);
  }

  @Get(DOWNLOAD_ROUTES)
  async download(
    @Caller() { user }: Caller,
    @FilePath() path: FilePath,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.dispatch.ask(new GetFile({ reader: user, path }));
    await this.answer(file, request, reply, { asDownload: true });
  }

  @Public()
  @Get(TEMPORARY_ROUTE)
  async temporary(
    @PathText('token') token: string,
    @PathText('filename') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const attachmentId = (await this.temporaryUrls.attachmentOf(token)) ?? refuse('TEMPORARY_URL_INVALID');
    const file = await this.dispatch.ask(new GetLinkedFile({ attachmentId }));
    await this.answer(file?.pathName === name ? file : null, request, reply);
  }

  private async answer(
    file: FoundFile | null,
    request: FastifyRequest,
    reply: FastifyReply,
    options: { readonly asDownload?: boolean } = {},
  ): Promise<void> {
    if (!file) return refuse('FILE_NOT_FOUND');
    const range = rangeOf(file, request);
    const isWanted = !hasIt(file, request);
    const content = isWanted ? await this.contentOf(file, range, request) : undefined;
    describeFile(file, reply, options);
    if (content === undefined) {
      await reply.status(304).send();
      return;
    }
    describeLength(file, range, reply);
    await reply.send(content);
  }

  private async contentOf(
    file: FoundFile,
    range: ReturnType<typeof rangeOf>,
    { method }: FastifyRequest,
  ): Promise<Readable> {
    if (method === 'HEAD') return Readable.from([]);
    const stored = await this.dispatch.ask(new ReadFile({ file, range: range ?? undefined }));
    return (stored ?? refuse('FILE_NOT_FOUND')).content;
  }
}
