import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AnsweredWhenStale } from '../http/fresh-directory.guard.js';
import { Public } from '../http/public.decorator.js';
import { HEALTH, type Health, type HealthReport } from './health.js';

/** For whoever watches the process. */
@AnsweredWhenStale()
@Controller('health')
export class HealthController {
  constructor(@Inject(HEALTH) private readonly health: Health) {}

  /** 200 when it can do its work, 503 while it cannot, with the state of the engines and of each projection. */
  @Public()
  @Get(['', 'ready'])
  ready(@Res({ passthrough: true }) reply: FastifyReply): HealthReport {
    const report = this.health.report();
    void reply.status(report.ready ? 200 : 503);
    return report;
  }

  /** 200 as long as the process answers at all: nothing is won by restarting it because an engine is away. */
  @Public()
  @Get('live')
  live(): { readonly live: true } {
    return { live: true };
  }
}
