import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { DEFAULT_LOGO_PATHS } from '../../../directory/organization-pictures.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SHOWN_PICTURE_CACHING, sendShownPicture } from '../../uploads/http/shown-pictures.js';
import { ORGANIZATION_PICTURE_ROUTE } from '../organization-picture-routes.js';
import { ReadOrganizationPicture } from '../queries/organization-pictures.queries.js';
import { DEFAULT_LOGOS } from './default-logos.js';

/** The name of a file has a fixed length. */
const NAME = /^([\w-]{24})\.png$/;

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
    await sendShownPicture(file, 'png', request, reply);
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
  reply.headers({ ...SHOWN_PICTURE_CACHING, 'Content-Type': 'image/svg+xml' }).send(logo);
