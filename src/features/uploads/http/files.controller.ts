import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import type { ServedFile } from '../../../platform/http/answers/served-file.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/route-marks.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { type FoundFile, GetFile, GetLinkedFile, ReadFile } from '../queries/uploads.queries.js';
import { TemporaryUrls } from '../services/temporary-urls.js';
import { DOWNLOAD_ROUTES, ENCODED_FILE_ROUTE, FILE_ROUTES, TEMPORARY_ROUTE } from '../uploads.routes.js';
import { uploadedFile } from './file-answer.js';
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
  async file(@Caller() { user }: Caller, @FilePath() path: FilePath): Promise<ServedFile> {
    return this.served(await this.dispatch.ask(new GetFile({ reader: user, path })));
  }

  @Get(DOWNLOAD_ROUTES)
  async download(@Caller() { user }: Caller, @FilePath() path: FilePath): Promise<ServedFile> {
    return this.served(await this.dispatch.ask(new GetFile({ reader: user, path })), { asDownload: true });
  }

  @Public()
  @Get(TEMPORARY_ROUTE)
  async temporary(@PathText('token') token: string, @PathText('filename') name: string): Promise<ServedFile> {
    const attachmentId = (await this.temporaryUrls.attachmentOf(token)) ?? refuse('TEMPORARY_URL_INVALID');
    const file = await this.dispatch.ask(new GetLinkedFile({ attachmentId }));
    return this.served(file?.pathName === name ? file : null);
  }

  private served(found: FoundFile | null, options?: { readonly asDownload: boolean }): ServedFile {
    const file = found ?? refuse('FILE_NOT_FOUND');
    return uploadedFile(
      file,
      async (range) => (await this.dispatch.ask(new ReadFile({ file, range }))) ?? refuse('FILE_NOT_FOUND'),
      options,
    );
  }
}
