import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { pictureIn } from '../../uploads/http/picture-in.js';
import { ChangeAvatar, RemoveAvatar } from '../domain/avatar.js';
import { GetAvatar } from '../queries/avatars.queries.js';

const NOT_ONE = 'AVATAR_NOT_ONE_FILE';

/** Changes the caller's own avatar: a person's or a bot's. */
@Controller('users/me/avatar')
export class AvatarsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

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
    await this.commands.execute(new ChangeAvatar({ userId, picture, asker, by: commandContext(caller) }));
    return this.now(caller);
  }

  @Delete()
  async remove(@Caller() caller: Caller): Promise<{ avatar_url: string }> {
    await this.commands.execute(new RemoveAvatar({ userId: caller.user._id, by: commandContext(caller) }));
    return this.now(caller);
  }

  private async now({ user }: Caller): Promise<{ avatar_url: string }> {
    const { url } = await this.queries.execute(new GetAvatar({ user: String(user._id) }));
    return { avatar_url: url };
  }
}
