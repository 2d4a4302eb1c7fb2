import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../platform/http/edge-state.js';
import { Directory } from '../directory.js';
import { DirectoryFollower } from '../directory-follower.js';
import { authenticate } from './basic-credentials.js';

/**
 * Holds a command until the directory has every event that was in the log when the command came: permissions that were
 * taken before are known when it is decided (D8). Requests that only read are not held up.
 */
@Injectable()
export class CurrentFactsGuard implements CanActivate {
  constructor(
    private readonly directory: Directory,
    private readonly follower: DirectoryFollower,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { method } = request;
    if (method === 'GET' || method === 'HEAD') return true;
    return this.follower.isCaughtUp() ? this.known(request) : this.caughtUp(request);
  }

  private async caughtUp(request: FastifyRequest): Promise<true> {
    await this.follower.catchUp();
    return this.known(request);
  }

  /** Authenticates again if the account or its keys have changed since the request came. */
  private known(request: FastifyRequest): true {
    const { user } = request[edge];
    if (user && this.directory.user(user._id) !== user)
      request[edge].user = authenticate(this.directory, request.headers.authorization).user;
    return true;
  }
}
