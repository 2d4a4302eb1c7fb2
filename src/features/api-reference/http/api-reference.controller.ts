import { Controller, Get, Param } from '@nestjs/common';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import type { ServedFile } from '../../../platform/http/answers/served-file.js';
import { Public } from '../../../platform/http/route-marks.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { REFERENCE_FILES_ROUTE, REFERENCE_ROUTE } from '../api-reference.routes.js';
import { referenceFiles } from '../queries/reference-files.js';
import { referencePage } from './reference-page.js';

/** Serves the page and its files. They say nothing of the organization, so nobody has to log in. */
@Public()
@TakesNoTurn()
@Controller()
export class ApiReferenceController {
  @Get(REFERENCE_ROUTE)
  async page(): Promise<ServedFile> {
    return referencePage(await referenceFiles());
  }

  @Get(REFERENCE_FILES_ROUTE)
  async file(@Param('file') name: string): Promise<ServedFile> {
    return (await referenceFiles()).get(name) ?? refuse('REFERENCE_FILE_NOT_FOUND');
  }
}
