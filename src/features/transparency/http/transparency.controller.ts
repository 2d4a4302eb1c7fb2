import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { PathRest } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PublishedCheckpoint } from '../../../platform/transparency/published-checkpoint.js';
import { PublishedTree } from '../../../platform/transparency/published-tree.js';
import { verifierProgram } from '../queries/verifier-program.js';
import { TRANSPARENCY_SETTINGS, type TransparencySettings } from '../transparency.settings.js';
import { CHECKPOINT_ROUTE, TILES_ROUTE, VERIFIER_ROUTE } from '../transparency-routes.js';

/** A tile never changes: a larger one has another path. */
const FOR_EVER = 'public, max-age=31536000, immutable';

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
  async checkpoint(@Res() reply: FastifyReply): Promise<void> {
    this.refuseUnpublished();
    const note = (await this.published.note()) ?? (await this.refuseUnsigned());
    await reply.headers({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' }).send(note);
  }

  /** The program that checks proofs; its digest is there to be compared with one from elsewhere. */
  @Get(VERIFIER_ROUTE)
  async verifier(@Res() reply: FastifyReply): Promise<void> {
    this.refuseUnpublished();
    const { bytes, digest } = await verifierProgram();
    const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' };
    await reply.headers({ ...headers, 'Repr-Digest': digest }).send(bytes);
  }

  @Get(TILES_ROUTE)
  async tile(@PathRest() path: string, @Res() reply: FastifyReply): Promise<void> {
    this.refuseUnpublished();
    const bytes = (await this.tree.tile(`tile/${path}`)) ?? refuse('TILE_NOT_FOUND');
    await reply.headers({ 'Content-Type': 'application/octet-stream', 'Cache-Control': FOR_EVER }).send(bytes);
  }

  private async refuseUnsigned(): Promise<never> {
    const reason = await this.published.reasonUnsigned();
    return reason === null ? refuse('CHECKPOINT_NOT_THERE') : refuse('CHECKPOINT_NOT_SIGNED', { reason });
  }

  private refuseUnpublished(): void {
    if (!this.settings.isPublished) refuse('TREE_NOT_PUBLISHED');
  }
}
