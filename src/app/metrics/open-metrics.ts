import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { POLLS, READS, REGISTRATIONS } from '../../directory/http/read-turn.guard.js';
import { WaitingPolls } from '../../features/event-queues/queries/waiting-polls.js';
import { RefusalListeners } from '../../platform/http/refusal-listeners.js';
import { Admission } from '../../platform/kernel/admission.js';
import type { ReadTurns } from '../../platform/kernel/read-turns.js';
import type { MetricsAddress } from '../config/process.settings.js';
import { type MeasuredProcess, Metrics } from './metrics.js';
import { MetricsPort } from './metrics-port.js';

/** Measures a process that answers clients. Called before the application begins to listen. */
export function openServerMetrics(
  address: MetricsAddress,
  process: MeasuredProcess,
  app: NestFastifyApplication,
): Promise<MetricsPort> {
  const find = <T>(token: abstract new (...given: never[]) => T): T => app.get<T>(token, { strict: false });
  const turns = (token: symbol): ReadTurns => app.get<ReadTurns>(token, { strict: false });
  const admission = find(Admission);
  const polls = find(WaitingPolls);
  const reads = Object.entries({ reads: READS, polls: POLLS, registrations: REGISTRATIONS });
  const metrics = new Metrics({
    ...process,
    lines: [
      { name: 'commands', load: () => admission.load },
      ...reads.map(([name, token]) => ({ name, load: () => turns(token).load })),
    ],
    waitingPolls: () => polls.size,
  });
  find(RefusalListeners).add(({ code }) => metrics.refused(code));
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      metrics.answered({
        method,
        route: routeOptions.url ?? '',
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
      });
      done();
    });
  return MetricsPort.open(address, metrics);
}

/** Measures a process that keeps projections. */
export const openWorkerMetrics = (address: MetricsAddress, process: MeasuredProcess): Promise<MetricsPort> =>
  MetricsPort.open(address, new Metrics(process));
