import { Controller, Get, Inject } from '@nestjs/common';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { ASKED_AGAIN, FOR_EVER, ServedFile } from '../../../platform/http/answers/served-file.js';
import { PathRest } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/route-marks.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PublishedCheckpoint } from '../../../platform/transparency/published-checkpoint.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { verifierProgram } from '../queries/verifier-program.js';
import { CHECKPOINT_ROUTE, TILES_ROUTE, VERIFIER_ROUTE } from '../transparency.routes.js';
import { TRANSPARENCY_SETTINGS, type TransparencySettings } from '../transparency.settings.js';

/** Serves the log's tree as C2SP tlog-tiles wants it. It holds hashes alone, so nobody has to log in. */
@Public()
@TakesNoTurn()
@Controller()
export class TransparencyController {
  constructor(
    private readonly tree: PublishedTree,
    private readonly published: PublishedCheckpoint,
    @Inject(TRANSPARENCY_SETTINGS) private readonly settings: TransparencySettings,
  ) {}

  @Get(CHECKPOINT_ROUTE)
  async checkpoint(): Promise<ServedFile> {
    this.refuseUnpublished();
    const content = (await this.published.note()) ?? (await this.refuseUnsigned());
    return new ServedFile({ type: 'text/plain; charset=utf-8', headers: ASKED_AGAIN, content });
  }

  /** The program that checks proofs; its digest is there to be compared with one from elsewhere. */
  @Get(VERIFIER_ROUTE)
  verifier(): Promise<ServedFile> {
    this.refuseUnpublished();
    return verifierProgram();
  }

  /** A tile never changes: a larger one has another path. */
  @Get(TILES_ROUTE)
  async tile(@PathRest() path: string): Promise<ServedFile> {
    this.refuseUnpublished();
    const content = (await this.tree.tile(`tile/${path}`)) ?? refuse('TILE_NOT_FOUND');
    return new ServedFile({ type: 'application/octet-stream', headers: FOR_EVER, content });
  }

  private async refuseUnsigned(): Promise<never> {
    const reason = await this.published.reasonUnsigned();
    return reason === null ? refuse('CHECKPOINT_NOT_THERE') : refuse('CHECKPOINT_NOT_SIGNED', { reason });
  }

  private refuseUnpublished(): void {
    if (!this.settings.isPublished) refuse('TREE_NOT_PUBLISHED');
  }
}
