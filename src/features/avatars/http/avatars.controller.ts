import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import type { Redirect, ServedFile } from '../../../platform/http/answers/served-file.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathId, PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import { Public } from '../../../platform/http/route-marks.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { pictureIn, shownPicture, toPicture } from '../../uploads/http/shown-pictures.js';
import { AVATAR_PICTURE_ROUTE, AVATAR_ROUTE, MEDIUM_AVATAR_ROUTE } from '../avatars.routes.js';
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
    @Connection() connection: WatchedConnection,
  ): Promise<{ avatar_url: string }> {
    const userId = caller.user._id;
    const { content: picture } = await pictureIn(body, NOT_ONE);
    const asker = { account: userId, connection };
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
  async avatar(@PathText('user') user: string): Promise<Redirect> {
    return toPicture((await this.dispatch.ask(new GetAvatar({ user }))).url);
  }

  @Get(MEDIUM_AVATAR_ROUTE)
  async medium(@PathText('user') user: string): Promise<Redirect> {
    return toPicture((await this.dispatch.ask(new GetAvatar({ user }))).mediumUrl);
  }

  /** Serves a picture to everybody who knows its URL, of which a part is random. A picture never changes. */
  @Get(AVATAR_PICTURE_ROUTE)
  @Public()
  @TakesNoTurn()
  async picture(@PathId('user_id') userId: number, @PathText('picture') name: string): Promise<ServedFile> {
    const [, fileId = refuse('SHOWN_PICTURE_NOT_FOUND'), medium] = NAME.exec(name) ?? [];
    const picture = await this.dispatch.ask(new GetAvatarPicture({ userId, fileId, isMedium: medium !== undefined }));
    return shownPicture(picture, this.dispatch);
  }
}
