import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { AVATAR_ROUTES } from '../avatar-routes.js';
import { GetUser } from '../queries/get-user.handler.js';

/** Sends clients that know only an account's id or address to its avatar. */
@Controller()
export class AvatarsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(AVATAR_ROUTES)
  async avatar(@PathText('user') user: string, @Res() reply: FastifyReply): Promise<void> {
    const options = { clientGravatar: false, customProfileFields: false };
    const { avatar_url: url } = await this.queries.execute(new GetUser({ user, options }));
    await reply
      .headers({ 'Cache-Control': 'private, no-cache', 'Referrer-Policy': 'no-referrer' })
      .redirect(url ?? refuse('USER_NOT_FOUND'), 302);
  }
}
