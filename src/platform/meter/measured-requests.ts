import type { FastifyInstance } from 'fastify';
import { edge } from '../http/edge-state.js';
import type { ProcessMeter } from './process-meter.js';

/** Tells the meter of each request that has its answer. Called before the application begins to listen. */
export function measureRequests(server: FastifyInstance, meter: ProcessMeter): void {
  server.addHook('onResponse', (request, reply, done) => {
    meter.answered(request[edge].isHeldOpen ? null : reply.elapsedTime);
    done();
  });
}
