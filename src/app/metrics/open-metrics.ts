import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { POLLS, READS, REGISTRATIONS } from '../../directory/http/read-turn.guard.js';
import { WaitingPolls } from '../../features/event-queues/services/waiting-polls.js';
import { RefusalListeners } from '../../platform/http/refusal-listeners.js';
import { Admission } from '../../platform/kernel/admission.js';
import type { ReadTurns } from '../../platform/kernel/read-turns.js';
import type { MetricsAddress } from '../config/process.settings.js';
import { type MeasuredProcess, Metrics } from './metrics.js';

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

const PATH = '/metrics';

/** Answers Prometheus on an address of its own, which the proxy does not show to the public. */
class MetricsPort {
  private readonly log = new Logger('Metrics');

  private constructor(
    private readonly server: Server,
    private readonly metrics: Metrics,
  ) {
    server.on('request', (request, response) => {
      void this.answer(request, response).catch((error: unknown) => {
        this.log.error(`metrics could not be read: ${String(error)}`);
        response.writeHead(500).end();
      });
    });
  }

  /** @throws Error if the address cannot be listened on */
  static async open({ host, port }: MetricsAddress, metrics: Metrics): Promise<MetricsPort> {
    const server = createServer();
    const opened = new MetricsPort(server, metrics);
    server.listen(port, host);
    await once(server, 'listening');
    opened.log.log(`metrics are read at ${opened.url}`);
    return opened;
  }

  get url(): string {
    const at = this.server.address();
    if (at === null || typeof at === 'string') return PATH;
    return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}${PATH}`;
  }

  async close(): Promise<void> {
    await this.metrics.close();
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?')[0] !== PATH) return void response.writeHead(404).end();
    if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    const text = await this.metrics.registry.metrics();
    response.writeHead(200, { 'Content-Type': this.metrics.registry.contentType }).end(text);
  }
}
