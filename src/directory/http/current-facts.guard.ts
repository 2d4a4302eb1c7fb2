import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Directory } from '../directory.js';
import { DirectoryFollower } from '../directory-follower.js';
import { authenticateAgain } from './credentials.js';

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

  private known(request: FastifyRequest): true {
    authenticateAgain(this.directory, request);
    return true;
  }
}
