import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { PathId, PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { sendShownPicture, sendToPicture } from '../../uploads/http/shown-pictures.js';
import { AVATAR_PICTURE_ROUTE, AVATAR_ROUTE, MEDIUM_AVATAR_ROUTE } from '../avatar-routes.js';
import { GetAvatar, ReadAvatarPicture } from '../queries/avatars.queries.js';

/** The name of a file has a fixed length. */
const NAME = /^([\w-]{24})(-medium)?\.png$/;

/** Serves avatars. */
@Controller()
export class AvatarPicturesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(AVATAR_ROUTE)
  async avatar(@PathText('user') user: string, @Res() reply: FastifyReply): Promise<void> {
    const { url } = await this.queries.execute(new GetAvatar({ user }));
    await sendToPicture(url, reply);
  }

  @Get(MEDIUM_AVATAR_ROUTE)
  async medium(@PathText('user') user: string, @Res() reply: FastifyReply): Promise<void> {
    const { mediumUrl } = await this.queries.execute(new GetAvatar({ user }));
    await sendToPicture(mediumUrl, reply);
  }

  /** Serves a picture to everybody who knows its URL, of which a part is random. A picture never changes. */
  @Get(AVATAR_PICTURE_ROUTE)
  @Public()
  @TakesNoTurn()
  async picture(
    @PathId('user_id') userId: number,
    @PathText('picture') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [, fileId = refuse('SHOWN_PICTURE_NOT_FOUND'), medium] = NAME.exec(name) ?? [];
    const isMedium = medium !== undefined;
    const picture = await this.queries.execute(new ReadAvatarPicture({ userId, fileId, isMedium }));
    await sendShownPicture(picture, 'png', request, reply);
  }
}
