import { Controller, Get } from '@nestjs/common';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import type { ServedFile } from '../../../platform/http/answers/served-file.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/route-marks.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { markup } from '../../../platform/pages/markup.js';
import { type Page, page } from '../../../platform/pages/page.js';
import { ASSET_ROUTE, PAGE_ROUTE } from '../page.routes.js';
import { BuiltPage } from '../services/built-page.js';

/** Serves the page and its files. They say nothing of the organization, so nobody has to log in. */
@Public()
@TakesNoTurn()
@Controller()
export class PageController {
  constructor(private readonly built: BuiltPage) {}

  @Get(PAGE_ROUTE)
  async page(): Promise<ServedFile | Page> {
    if (!this.built.isServed) refuse('NOT_FOUND');
    return (await this.built.index()) ?? NOT_BUILT;
  }

  @Get(ASSET_ROUTE)
  async asset(@PathText('file') name: string): Promise<ServedFile> {
    if (!this.built.isServed) refuse('NOT_FOUND');
    return (await this.built.asset(name)) ?? refuse('ASSET_NOT_FOUND');
  }
}

const NOT_BUILT = page({
  title: 'The page is not built',
  body: markup`<p>Annals answers clients, but its page for browsers has not been built. <code>npm run build</code> in the
folder of the sources builds it, and the next start serves it.</p>
<p><a href="/api/docs">The API of this server</a></p>`,
  status: 404,
});
