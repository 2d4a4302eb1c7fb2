import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AnsweredWhenStale } from '../../directory/http/fresh-directory.guard.js';
import { TakesNoTurn } from '../../directory/http/read-turn.guard.js';
import { Public } from '../../platform/http/public.decorator.js';
import { HEALTH, type Health, type HealthReport } from './health.js';

/** Health of the process, for monitoring. */
@AnsweredWhenStale()
@TakesNoTurn()
@Controller('health')
export class HealthController {
  constructor(@Inject(HEALTH) private readonly health: Health) {}

  /**
   * Answers 200 while the process can do its work, 503 while it cannot, with the state of the engines and projections.
   */
  @Public()
  @Get(['', 'ready'])
  ready(@Res({ passthrough: true }) reply: FastifyReply): HealthReport {
    const report = this.health.report();
    void reply.status(report.ready ? 200 : 503);
    return report;
  }

  /** Answers 200 as long as the process answers at all: a restart does not help against an engine that is away. */
  @Public()
  @Get('live')
  live(): { readonly live: true } {
    return { live: true };
  }
}
