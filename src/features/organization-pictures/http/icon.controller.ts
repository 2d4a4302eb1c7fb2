import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { pictureIn } from '../../uploads/http/picture-in.js';
import { sendToPicture } from '../../uploads/http/shown-pictures.js';
import { ChangeOrganizationPicture, RemoveOrganizationPicture } from '../domain/organization-pictures.js';
import { GetOrganizationPictureUrl } from '../queries/organization-pictures.queries.js';

const NOT_ONE = 'ICON_NOT_ONE_FILE';
const picture = 'icon';

@Controller('realm/icon')
export class IconController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async show(@Res() reply: FastifyReply): Promise<void> {
    await sendToPicture(await this.url(), reply);
  }

  @Post()
  @StreamsBody()
  async change(
    @Caller() caller: Caller,
    @Streamed(NOT_ONE) body: StreamedBody,
    @Connection() client: WatchedConnection,
  ): Promise<{ icon_url: string }> {
    const { content } = await pictureIn(body, NOT_ONE);
    const command = new ChangeOrganizationPicture({
      kind: picture,
      content,
      asker: { account: caller.user._id, client },
      becomes: async () => picture,
      by: commandContext(caller),
    });
    await this.commands.execute(command);
    return { icon_url: await this.url() };
  }

  @Delete()
  async remove(@Caller() caller: Caller): Promise<{ icon_url: string }> {
    await this.commands.execute(new RemoveOrganizationPicture({ picture, by: commandContext(caller) }));
    return { icon_url: await this.url() };
  }

  private url(): Promise<string> {
    return this.queries.execute(new GetOrganizationPictureUrl({ picture }));
  }
}
