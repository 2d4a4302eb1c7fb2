import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { readParameters } from '../../../platform/http/parameters/parameter-plan.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../platform/http/parameters/streamed-body.js';
import type { WatchedConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { pictureIn } from '../../uploads/http/picture-in.js';
import { sendToPicture } from '../../uploads/http/shown-pictures.js';
import { ChangeOrganizationPicture, RemoveOrganizationPicture } from '../domain/organization-pictures.js';
import { GetOrganizationPictureUrl } from '../queries/organization-pictures.queries.js';
import { LogoParameters, LogoUploadParameters } from './organization-pictures.parameters.js';

const NOT_ONE = 'LOGO_NOT_ONE_FILE';

const logoFor = (night: boolean) => (night ? 'nightLogo' : 'logo');

@Controller('realm/logo')
export class LogoController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async show(@Parameters(LogoParameters) { night }: LogoParameters, @Res() reply: FastifyReply): Promise<void> {
    await sendToPicture(await this.queries.execute(new GetOrganizationPictureUrl({ picture: logoFor(night) })), reply);
  }

  @Post()
  @StreamsBody()
  async change(
    @Caller() caller: Caller,
    @Parameters(LogoUploadParameters) inQuery: LogoUploadParameters,
    @Streamed(NOT_ONE) body: StreamedBody,
    @Connection() client: WatchedConnection,
  ): Promise<void> {
    const { content, fields } = await pictureIn(body, NOT_ONE);
    const becomes = async () => {
      const { night = inQuery.night } = readParameters(LogoUploadParameters, await fields());
      return logoFor(night ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'night' }));
    };
    const asker = { account: caller.user._id, client };
    const by = commandContext(caller);
    await this.commands.execute(new ChangeOrganizationPicture({ kind: 'logo', content, asker, becomes, by }));
  }

  @Delete()
  async remove(@Caller() caller: Caller, @Parameters(LogoParameters) { night }: LogoParameters): Promise<void> {
    const picture = logoFor(night);
    await this.commands.execute(new RemoveOrganizationPicture({ picture, by: commandContext(caller) }));
  }
}
