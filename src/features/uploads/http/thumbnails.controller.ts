import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { ReplyConnection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { sendStored } from '../../../platform/http/stored-file-answer.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SITE } from '../../../platform/kernel/site.js';
import { ReadRemotePicture } from '../../remote-pictures/queries/read-remote-picture.handler.js';
import { pictureSource } from '../domain/picture-source.js';
import { ANIMATED, type ThumbnailFormat, thumbnailFormat } from '../domain/thumbnail-format.js';
import { type FoundFile, GetFile } from '../queries/get-file.handler.js';
import { ReadThumbnail } from '../queries/read-thumbnail.handler.js';
import { PICTURE_ROUTE, THUMBNAIL_ROUTES } from '../upload-routes.js';
import { describeRemote, describeThumbnail, hasIt, redirectTo } from './file-answer.js';
import { FilePath } from './file-path.decorator.js';
import { PictureParameters } from './thumbnail.parameters.js';

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
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.dispatch.ask(new GetFile({ reader: user, path }));
    const format = thumbnailFormat(name) ?? refuse('FILE_NOT_FOUND');
    await this.answer({ file: file ?? refuse('FILE_NOT_FOUND'), format, asker: asker(user, reply) }, request, reply);
  }

  @Get(PICTURE_ROUTE)
  async picture(
    @Caller() { user }: Caller,
    @Parameters() asked: PictureParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const path = pictureSource(asked.url, this.site());
    if (path === null) return this.answerFromElsewhere(asked, asker(user, reply), request, reply);
    const file = (await this.dispatch.ask(new GetFile({ reader: user, path }))) ?? refuse('FILE_NOT_FOUND');
    if (asked.size === 'full') await redirectTo(file, reply);
    else await this.answer({ file, format: ANIMATED, asker: asker(user, reply) }, request, reply);
  }

  private async answer(
    { file, format, asker }: { file: FoundFile; format: ThumbnailFormat; asker: Asker },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (hasIt(file, request, format.name)) {
      describeThumbnail(file, format, reply);
      await reply.status(304).send();
      return;
    }
    const thumbnail = await this.dispatch.ask(new ReadThumbnail({ file, format, asker }));
    if (!thumbnail) return redirectTo(file, reply);
    describeThumbnail(file, format, reply);
    await sendStored(thumbnail, request, reply);
  }

  private async answerFromElsewhere(
    { url, size }: PictureParameters,
    asker: Asker,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { max_width: maxWidth, max_height: maxHeight, animated } = ANIMATED;
    const within = size === 'full' ? null : { maxWidth, maxHeight, animated };
    const picture = await this.dispatch.ask(new ReadRemotePicture({ asker, url, within }));
    if (!describeRemote(picture, request, reply)) return sendStored(picture, request, reply);
    picture.content.destroy();
    await reply.status(304).send();
  }
}

const asker = ({ _id }: Caller['user'], reply: FastifyReply): Asker => ({
  account: _id,
  client: new ReplyConnection(reply),
});
