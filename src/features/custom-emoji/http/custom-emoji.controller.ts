import { Controller, Delete, Get, Post } from '@nestjs/common';
import type { CustomEmojiForClients } from '../../../directory/custom-emoji.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import type { ServedFile } from '../../../platform/http/answers/served-file.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import { Public } from '../../../platform/http/route-marks.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { pictureIn, shownPicture } from '../../uploads/http/shown-pictures.js';
import { CUSTOM_EMOJI_ROUTES } from '../custom-emoji.routes.js';
import { AddCustomEmoji, DeactivateCustomEmoji } from '../domain/custom-emoji.js';
import { GetCustomEmoji, GetEmojiPicture } from '../queries/custom-emoji.queries.js';

@Controller('realm/emoji')
export class CustomEmojiController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(): Promise<{ readonly emoji: Readonly<Record<string, CustomEmojiForClients>> }> {
    return { emoji: await this.dispatch.ask(new GetCustomEmoji()) };
  }

  @Post(':emoji_name')
  @StreamsBody()
  async add(
    @Caller() { user, by }: Caller,
    @PathText('emoji_name') name: string,
    @Streamed() body: StreamedBody,
    @Connection() connection: WatchedConnection,
  ): Promise<void> {
    const { content: picture } = await pictureIn(body);
    const authorId = user._id;
    const asker = { account: authorId, connection };
    const command = new AddCustomEmoji({ name, picture, authorId, asker, by });
    await this.dispatch.do(command);
  }

  @Delete(':emoji_name')
  async deactivate(@Caller() { user, by }: Caller, @PathText('emoji_name') name: string): Promise<void> {
    await this.dispatch.do(new DeactivateCustomEmoji({ name, userId: user._id, by }));
  }
}

const NAME = /^([1-9]\d{0,14})\.(webp|png)$/;
const [PICTURE, STILL] = CUSTOM_EMOJI_ROUTES;

/** Serves the pictures of custom emoji to everybody. A picture never changes: ids are not used again. */
@Public()
@TakesNoTurn()
@Controller()
export class CustomEmojiPicturesController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get(PICTURE)
  picture(@PathText('picture') name: string): Promise<ServedFile> {
    return this.named(name, { isStill: false });
  }

  @Get(STILL)
  still(@PathText('picture') name: string): Promise<ServedFile> {
    return this.named(name, { isStill: true });
  }

  private async named(name: string, { isStill }: { readonly isStill: boolean }): Promise<ServedFile> {
    const [, id, format] = NAME.exec(name) ?? refuse('SHOWN_PICTURE_NOT_FOUND');
    const picture = await this.dispatch.ask(new GetEmojiPicture({ id: Number(id), isStill }));
    return shownPicture(picture?.format === format ? picture : null, this.dispatch);
  }
}
