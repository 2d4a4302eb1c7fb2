import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { REFERENCE_FILES_ROUTE, REFERENCE_ROUTE } from '../api-reference-routes.js';
import { referenceFiles } from '../queries/reference-files.js';
import { REFERENCE_HEADERS, referencePage } from './reference-page.js';

/** Serves the page and its files. They say nothing of the organization, so nobody has to log in. */
@Public()
@TakesNoTurn()
@Controller()
export class ApiReferenceController {
  @Get(REFERENCE_ROUTE)
  async page(@Res() reply: FastifyReply): Promise<void> {
    await reply.headers(REFERENCE_HEADERS).send(referencePage(await referenceFiles()));
  }

  @Get(REFERENCE_FILES_ROUTE)
  async file(@Param('file') name: string, @Res() reply: FastifyReply): Promise<void> {
    const file = (await referenceFiles()).get(name) ?? refuse('REFERENCE_FILE_NOT_FOUND');
    await file.send(reply);
  }
}
