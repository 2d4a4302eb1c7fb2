import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { CustomEmojiForClients } from '../../../directory/custom-emoji.js';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { pictureIn } from '../../uploads/http/picture-in.js';
import { AddCustomEmoji, DeactivateCustomEmoji } from '../domain/custom-emoji.js';
import { GetCustomEmoji } from '../queries/custom-emoji.queries.js';

@Controller('realm/emoji')
export class CustomEmojiController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(): Promise<{ readonly emoji: Readonly<Record<string, CustomEmojiForClients>> }> {
    return { emoji: await this.queries.execute(new GetCustomEmoji()) };
  }

  @Post(':emoji_name')
  @StreamsBody()
  async add(
    @Caller() caller: Caller,
    @PathText('emoji_name') name: string,
    @Streamed() body: StreamedBody,
    @Connection() client: WatchedConnection,
  ): Promise<void> {
    const { content: picture } = await pictureIn(body);
    const authorId = caller.user._id;
    const asker = { account: authorId, client };
    const command = new AddCustomEmoji({ name, picture, authorId, asker, by: commandContext(caller) });
    await this.commands.execute(command);
  }

  @Delete(':emoji_name')
  async deactivate(@Caller() caller: Caller, @PathText('emoji_name') name: string): Promise<void> {
    const by = commandContext(caller);
    await this.commands.execute(new DeactivateCustomEmoji({ name, userId: caller.user._id, by }));
  }
}
