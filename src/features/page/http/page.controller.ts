import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { markup } from '../../../platform/pages/markup.js';
import { Pages } from '../../../platform/pages/page.decorator.js';
import { PAGE_HEADERS, page } from '../../../platform/pages/page.js';
import { ASSET_ROUTE, PAGE_ROUTE } from '../page-routes.js';
import { BuiltPage } from '../queries/built-page.js';

/** Serves the page and its files. They say nothing of the organization, so nobody has to log in. */
@Pages()
@TakesNoTurn()
@Controller()
export class PageController {
  constructor(private readonly built: BuiltPage) {}

  @Get(PAGE_ROUTE)
  async page(@Res() reply: FastifyReply): Promise<void> {
    if (!this.built.isServed) refuse('NOT_FOUND');
    const index = await this.built.index();
    if (index) await index.send(reply);
    else await reply.status(NOT_BUILT.status).headers(PAGE_HEADERS).send(NOT_BUILT.html);
  }

  @Get(ASSET_ROUTE)
  async asset(@PathText('file') name: string, @Res() reply: FastifyReply): Promise<void> {
    if (!this.built.isServed) refuse('NOT_FOUND');
    const file = (await this.built.asset(name)) ?? refuse('ASSET_NOT_FOUND');
    await file.send(reply);
  }
}

const NOT_BUILT = page({
  title: 'The page is not built',
  body: markup`<p>Annals answers clients, but its page for browsers has not been built. <code>npm run build</code> in the
folder of the sources builds it, and the next start serves it.</p>
<p><a href="/api/docs">The API of this server</a></p>`,
  status: 404,
});
