import type { IncomingMessage, ServerResponse } from 'node:http';
import { originHeaders, PREFLIGHT } from '../../platform/http/cross-origin/cross-origin.js';
import type { HttpOptions } from '../../platform/http/http-options.js';
import { jsonAnswer, type PlainAnswer, plainRefusal, sendPlainly } from '../../platform/http/plain-answer.js';
import { edgeAnswer } from '../../platform/http/refusal-answer.js';
import { START } from '../../platform/kernel/position.js';
import type { Health, HealthReport } from './health.js';

/** Before the engines are open, nothing is known of them. */
const UNKNOWN: HealthReport = {
  ready: false,
  logEnd: START,
  engines: { log: { reachable: false, answeredMsAgo: null }, documents: { reachable: false, answeredMsAgo: null } },
  projections: [],
  damagedFiles: [],
  process: null,
  passedOver: null,
  checkpoints: null,
  verification: null,
  backup: null,
};

const HEALTH = '/health';
/** Paths of health. `/health` is the same as `/health/ready`: both say yes or no, because anybody may ask. */
export const HEALTH_PATHS: readonly string[] = [HEALTH, `${HEALTH}/ready`, `${HEALTH}/live`];

const RETRY_AFTER_SECONDS = 1;

/**
 * Answers all requests for health, from the moment on that the port is open: no limit, guard or queue is in between.
 * Answers every other request, too, until the process can.
 */
export class Front {
  private health: Health = { report: () => UNKNOWN };
  private isOpen = false;

  /** @param options.details whether health has its whole report, where no client comes */
  constructor(private readonly options: Pick<HttpOptions, 'pages' | 'crossOrigin'> & { readonly details?: boolean }) {}

  /** Reports this health from now on. */
  report(health: Health): void {
    this.health = health;
  }

  /** Leaves requests to the application, except those for health. */
  open(): void {
    this.isOpen = true;
  }

  /** @returns false if the application has to answer */
  readonly answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '/', method = 'GET' } = request;
    if (this.isOpen && !url.startsWith(HEALTH)) return false;
    const [path = ''] = url.split('?');
    if (HEALTH_PATHS.includes(path)) sendPlainly(request, response, this.healthAnswer(path, method));
    else if (this.isOpen) return false;
    else sendPlainly(request, response, this.closedAnswer(request));
    return true;
  };

  /** A browser sends no request before its question is answered, so that it could not tell its page of the refusal. */
  private closedAnswer({ method, url = '/', headers }: IncomingMessage): PlainAnswer {
    const { pages, crossOrigin } = this.options;
    const origins = originHeaders(crossOrigin, { url, headers });
    if (method === 'OPTIONS' && crossOrigin.has(url))
      return { status: 204, headers: { ...origins, ...PREFLIGHT }, text: '' };
    const refusal = edgeAnswer('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const { status, headers: refused, text } = plainRefusal(refusal, pages.has(url));
    return { status, headers: { ...origins, ...refused }, text };
  }

  private healthAnswer(path: string, method: string): PlainAnswer {
    if (method !== 'GET' && method !== 'HEAD')
      return plainRefusal(edgeAnswer('METHOD_NOT_ALLOWED', { allowed: 'GET, HEAD' }), false);
    // A restart does not help against an engine that is away: the process is alive.
    if (path === '/health/live') return jsonAnswer(200, { live: true });
    const report = this.health.report();
    return jsonAnswer(report.ready ? 200 : 503, this.options.details ? report : { ready: report.ready });
  }
}
