import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { DEFAULT_LOGO_PATHS } from '../../../directory/organization-pictures.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { sendStored } from '../../../platform/http/stored-file-answer.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PICTURE_TYPES } from '../../../platform/pictures/picture-task.js';
import { ORGANIZATION_PICTURE_ROUTE } from '../organization-picture-routes.js';
import { ReadOrganizationPicture } from '../queries/organization-pictures.queries.js';
import { DEFAULT_LOGOS } from './default-logos.js';

/** The name of a file has a fixed length. */
const NAME = /^([\w-]{24})\.png$/;
/** A picture never changes: another one has another URL. */
const CACHED = { 'Cache-Control': 'public, max-age=86400' };

/** Serves icon and logos to everybody: pages of logins show them. */
@Public()
@TakesNoTurn()
@Controller()
export class OrganizationPictureFilesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(ORGANIZATION_PICTURE_ROUTE)
  async uploaded(
    @PathText('kind') picture: string,
    @PathText('picture') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [, fileId] = NAME.exec(name) ?? refuse('SHOWN_PICTURE_NOT_FOUND');
    const file = await this.queries.execute(new ReadOrganizationPicture({ picture, fileId: String(fileId) }));
    const found = file ?? refuse('SHOWN_PICTURE_NOT_FOUND');
    void reply.headers({ ...CACHED, 'Content-Type': PICTURE_TYPES.png });
    await sendStored(found, request, reply);
  }

  @Get(DEFAULT_LOGO_PATHS.logo)
  async defaultLogo(@Res() reply: FastifyReply): Promise<void> {
    await sendLogo(DEFAULT_LOGOS.logo, reply);
  }

  @Get(DEFAULT_LOGO_PATHS.nightLogo)
  async defaultNightLogo(@Res() reply: FastifyReply): Promise<void> {
    await sendLogo(DEFAULT_LOGOS.nightLogo, reply);
  }
}

const sendLogo = (logo: string, reply: FastifyReply): FastifyReply =>
  reply.headers({ ...CACHED, 'Content-Type': 'image/svg+xml' }).send(logo);
