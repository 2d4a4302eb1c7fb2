import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { AnsweredWhenStale } from '../http/fresh-directory.guard.js';
import { Gate } from '../http/gate.js';
import { Public } from '../http/public.decorator.js';

/** For whoever watches the process: 200 when it can serve, 503 while it cannot, with the reason for each projection. */
@AnsweredWhenStale()
@Controller('health')
export class HealthController {
  constructor(
    private readonly runner: ProjectionRunner,
    private readonly directory: DirectoryFollower,
    private readonly gate: Gate,
  ) {}

  @Public()
  @Get()
  get(@Res({ passthrough: true }) reply: FastifyReply): object {
    const ready = this.gate.isOpen && this.runner.ready() && this.directory.isFresh();
    void reply.status(ready ? 200 : 503);
    return { ready, projections: this.runner.status() };
  }
}
