import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Gate } from '../../platform/http/gate.js';
import { DirectoryFollower } from '../directory-follower.js';

const ANSWERED_WHEN_STALE = 'http:answered-when-stale';

/** Marks a route that answers even when the directory is stale, such as one that reports the process's health. */
export const AnsweredWhenStale = (): MethodDecorator & ClassDecorator => SetMetadata(ANSWERED_WHEN_STALE, true);

/** Answers 503 while the directory may have missed that the caller lost a permission (D8). */
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
