import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../platform/http/edge-state.js';
import { streamsBody } from '../../platform/http/parameters/streamed-body.js';
import { Admission, Overloaded } from '../../platform/kernel/admission.js';
import { GatheredLines, gatheredText } from '../../platform/kernel/gathered-lines.js';
import { DirectoryFollower } from '../directory-follower.js';

/** The caller of a request without an account, such as a login. */
const NOBODY = 0;

/**
 * Makes commands of clients take turns when there are too many. Requests that only read are not held up. A command
 * leaves when its handler has ended, with an answer or an error.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  private readonly log = new Logger('Commands');
  private readonly lines = new GatheredLines();

  constructor(
    private readonly admission: Admission,
    private readonly follower: DirectoryFollower,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { method } = request;
    // A streamed body arrives as slowly as its client sends it.
    if (method === 'GET' || method === 'HEAD' || streamsBody(request)) return true;
    try {
      const turn = this.admission.enter(request[edge].user?._id ?? NOBODY);
      if (turn === null) return this.entered(request);
      return turn.then(
        () => this.enteredAfterWait(request),
        (error) => this.sentAway(error),
      );
    } catch (error) {
      return this.sentAway(error);
    }
  }

  private entered(request: FastifyRequest): true {
    request[edge].leave = () => this.admission.release();
    return true;
  }

  private async enteredAfterWait(request: FastifyRequest): Promise<true> {
    this.entered(request);
    // The client has hung up: the command is not begun.
    if (request.raw.socket.destroyed) throw new Overloaded('the client has disconnected', 0);
    await this.follower.freshen();
    return true;
  }

  /** Logs few lines for many refusals: each client gets its own answer. */
  private sentAway(error: unknown): never {
    this.lines.add('sent away', (repeats) => {
      const { waiting, refused } = this.admission.load;
      const load = `${refused} answered 503 since the start, ${waiting} wait for their turn`;
      this.log.warn(gatheredText(`more commands than can be carried out: ${load}`, repeats));
    });
    throw error;
  }
}
