import { type CanActivate, type ExecutionContext, Injectable, Logger, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Directory } from '../directory/directory.js';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { Admission, Overloaded } from '../kernel/admission.js';
import { authenticate } from './basic-credentials.js';
import { edge } from './edge-state.js';
import { streamsBody } from './parameters/streamed-body.js';

const TELL_EVERY_MS = 10_000;

/** Nobody in particular: a login. */
const NOBODY = 0;

/**
 * Commands of clients are let in one by one where there are too many; what only reads is not held up. Each leaves when
 * its handler has come to an end: where it is answered, and where its error is.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  private readonly log = new Logger('Commands');
  private told = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly admission: Admission,
    private readonly directory: Directory,
    private readonly follower: DirectoryFollower,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { method } = request;
    // A body that is still coming takes as long as its client likes.
    if (method === 'GET' || method === 'HEAD' || streamsBody(request)) return true;
    try {
      const turn = this.admission.enter(request[edge].user?._id ?? NOBODY);
      if (turn === null) return this.entered(request);
      return turn.then(
        () => this.stillWelcome(request),
        (error) => this.sentAway(error),
      );
    } catch (error) {
      return this.sentAway(error);
    }
  }

  private entered(request: FastifyRequest): true {
    request[edge].leave = () => this.admission.leave();
    return true;
  }

  /** Who may do what can have changed while it waited. */
  private async stillWelcome(request: FastifyRequest): Promise<true> {
    this.entered(request);
    // Nobody hears the answer: nothing is begun for it.
    if (request.raw.socket.destroyed) throw new Overloaded('who asked has gone', 0);
    await this.follower.freshen();
    if (request[edge].user) authenticate(this.directory, request.headers.authorization);
    return true;
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

/** Imported after the module that finds out who asks: guards run in the order of their modules. */
@Module({ providers: [{ provide: APP_GUARD, useClass: AdmissionGuard }] })
export class AdmissionModule {}
