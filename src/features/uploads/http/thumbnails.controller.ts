import { Controller, Get, Inject } from '@nestjs/common';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import type { Redirect, ServedFile } from '../../../platform/http/answers/served-file.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import type { Asker, WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SITE } from '../../../platform/kernel/site.js';
import { ReadRemotePicture } from '../../remote-pictures/queries/read-remote-picture.handler.js';
import { pictureSource } from '../domain/picture-source.js';
import { ANIMATED, type ThumbnailFormat, thumbnailFormat } from '../domain/thumbnail-format.js';
import { ReadThumbnail } from '../queries/read-thumbnail.handler.js';
import { type FoundFile, GetFile } from '../queries/uploads.queries.js';
import { PICTURE_ROUTE, THUMBNAIL_ROUTES } from '../uploads.routes.js';
import { pictureFromElsewhere, thumbnailOf, toFile } from './file-answer.js';
import { FilePath } from './file-path.decorator.js';

class PictureParameters {
  /** A picture's URL, without the slash at its beginning. */
  @IsString() readonly url!: string;

  @IsOptional() @IsIn(['thumbnail', 'full']) readonly size: 'thumbnail' | 'full' = 'thumbnail';
}

/** Serves smaller pictures of uploaded files to those who may read the files, and pictures of other sites. */
@TakesNoTurn()
@Controller()
export class ThumbnailsController {
  constructor(
    private readonly dispatch: Dispatch,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  @Get(THUMBNAIL_ROUTES)
  async thumbnail(
    @Caller() { user }: Caller,
    @FilePath() path: FilePath,
    @PathText('format') name: string,
    @Connection() connection: WatchedConnection,
  ): Promise<ServedFile> {
    const file = await this.dispatch.ask(new GetFile({ reader: user, path }));
    const format = thumbnailFormat(name) ?? refuse('FILE_NOT_FOUND');
    return this.madeOf(file ?? refuse('FILE_NOT_FOUND'), format, { account: user._id, connection });
  }

  @Get(PICTURE_ROUTE)
  async picture(
    @Caller() { user }: Caller,
    @Parameters() { url, size }: PictureParameters,
    @Connection() connection: WatchedConnection,
  ): Promise<ServedFile | Redirect> {
    const path = pictureSource(url, this.site());
    const asker = { account: user._id, connection };
    if (path === null) return this.fromElsewhere({ url, size }, asker);
    const file = (await this.dispatch.ask(new GetFile({ reader: user, path }))) ?? refuse('FILE_NOT_FOUND');
    return size === 'full' ? toFile(file) : this.madeOf(file, ANIMATED, asker);
  }

  private madeOf(file: FoundFile, format: ThumbnailFormat, asker: Asker): ServedFile {
    const read = async () => (await this.dispatch.ask(new ReadThumbnail({ file, format, asker }))) ?? toFile(file);
    return thumbnailOf(file, format, read);
  }

  private async fromElsewhere({ url, size }: PictureParameters, asker: Asker): Promise<ServedFile> {
    const { max_width: maxWidth, max_height: maxHeight, animated } = ANIMATED;
    const within = size === 'full' ? null : { maxWidth, maxHeight, animated };
    return pictureFromElsewhere(await this.dispatch.ask(new ReadRemotePicture({ asker, url, within })));
  }
}
