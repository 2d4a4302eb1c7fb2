import { type CallHandler, type ExecutionContext, Injectable, Logger, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { defer, finalize, type Observable } from 'rxjs';
import { Directory } from '../directory/directory.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { Admission } from '../kernel/admission.js';
import { authenticate } from './basic-credentials.js';
import { edge } from './edge-state.js';
import { streamsBody } from './parameters/streamed-body.js';

const TELL_EVERY_MS = 10_000;

/** Nobody in particular: a login. */
const NOBODY = 0;

/** Commands of clients are let in one by one where there are too many; what only reads is not held up. */
@Injectable()
export class AdmissionInterceptor implements NestInterceptor {
  private readonly log = new Logger('Commands');
  private told = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly admission: Admission,
    private readonly directory: Directory,
    private readonly follower: DirectoryFollower,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { method } = request;
    // A body that is still coming takes as long as its client likes.
    if (method === 'GET' || method === 'HEAD' || streamsBody(request)) return next.handle();
    try {
      const turn = this.admission.enter(request[edge].user?._id ?? NOBODY);
      if (turn === null) return this.leaving(next.handle());
      return turn.then(
        () => this.leaving(defer(() => this.stillWelcome(request, next))),
        (error) => this.sentAway(error),
      );
    } catch (error) {
      return this.sentAway(error);
    }
  }

  private leaving(handled: Observable<unknown>): Observable<unknown> {
    return handled.pipe(finalize(() => this.admission.leave()));
  }

  /** Who may do what can have changed while it waited. */
  private stillWelcome({ headers, [edge]: { user } }: FastifyRequest, next: CallHandler): Observable<unknown> {
    this.follower.requireFresh();
    if (user) authenticate(this.directory, headers.authorization);
    return next.handle();
  }

  /** One line for many: each of them has been told. */
  private sentAway(error: unknown): never {
    const now = performance.now();
    if (now - this.told >= TELL_EVERY_MS) {
      this.told = now;
      const { waiting, refused } = this.admission.busyness;
      this.log.warn(
        `more commands than can be carried out: ${refused} answered 503 since the start, ${waiting} wait for their turn`,
      );
    }
    throw error;
  }
}
