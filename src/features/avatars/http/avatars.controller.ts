import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathId, PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import { Public } from '../../../platform/http/public.decorator.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { pictureIn } from '../../uploads/http/picture-in.js';
import { sendShownPicture, sendToPicture } from '../../uploads/http/shown-pictures.js';
import { AVATAR_PICTURE_ROUTE, AVATAR_ROUTE, MEDIUM_AVATAR_ROUTE } from '../avatar-routes.js';
import { ChangeAvatar, RemoveAvatar } from '../domain/avatar.js';
import { GetAvatar, GetAvatarPicture } from '../queries/avatars.queries.js';

const NOT_ONE = 'AVATAR_NOT_ONE_FILE';

/** Changes the caller's own avatar: a person's or a bot's. */
@Controller('users/me/avatar')
export class AvatarsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  @StreamsBody()
  async change(
    @Caller() caller: Caller,
    @Streamed(NOT_ONE) body: StreamedBody,
    @Connection() client: WatchedConnection,
  ): Promise<{ avatar_url: string }> {
    const userId = caller.user._id;
    const { content: picture } = await pictureIn(body, NOT_ONE);
    const asker = { account: userId, client };
    await this.dispatch.do(new ChangeAvatar({ userId, picture, asker, by: caller.by }));
    return this.now(caller);
  }

  @Delete()
  async remove(@Caller() caller: Caller): Promise<{ avatar_url: string }> {
    await this.dispatch.do(new RemoveAvatar({ userId: caller.user._id, by: caller.by }));
    return this.now(caller);
  }

  private async now({ user }: Caller): Promise<{ avatar_url: string }> {
    const { url } = await this.dispatch.ask(new GetAvatar({ user: String(user._id) }));
    return { avatar_url: url };
  }
}

/** The name of a file has a fixed length. */
const NAME = /^([\w-]{24})(-medium)?\.png$/;

/** Serves avatars. */
@Controller()
export class AvatarPicturesController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get(AVATAR_ROUTE)
  async avatar(@PathText('user') user: string, @Res() reply: FastifyReply): Promise<void> {
    const { url } = await this.dispatch.ask(new GetAvatar({ user }));
    await sendToPicture(url, reply);
  }

  @Get(MEDIUM_AVATAR_ROUTE)
  async medium(@PathText('user') user: string, @Res() reply: FastifyReply): Promise<void> {
    const { mediumUrl } = await this.dispatch.ask(new GetAvatar({ user }));
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
    const picture = await this.dispatch.ask(new GetAvatarPicture({ userId, fileId, isMedium }));
    await sendShownPicture(picture, this.dispatch, request, reply);
  }
}
