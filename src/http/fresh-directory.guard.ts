import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { Gate } from './gate.js';

const ANSWERED_WHEN_STALE = 'http:answered-when-stale';

/** The route tells how the process is, and does so above all when it is not well. */
export const AnsweredWhenStale = (): MethodDecorator & ClassDecorator => SetMetadata(ANSWERED_WHEN_STALE, true);

/** Nobody is answered from a directory that may have missed what has been taken from them (D8): 503. */
@Injectable()
export class FreshDirectoryGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly follower: DirectoryFollower,
    private readonly gate: Gate,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (this.gate.isOpen && this.follower.isFresh()) return true;
    if (this.reflector.get<boolean>(ANSWERED_WHEN_STALE, context.getClass())) return true;
    this.gate.requireOpen();
    return this.freshened();
  }

  private async freshened(): Promise<true> {
    await this.follower.freshen();
    return true;
  }
}
