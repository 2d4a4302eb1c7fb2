import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../platform/http/edge-state.js';
import { KeyUses } from '../key-uses.js';

type KeyUseListener = (request: FastifyRequest) => void;

/** The listeners to requests that use an API key. They must not throw, nor take time. */
@Injectable()
export class KeyUseListeners {
  private readonly listeners: KeyUseListener[] = [];

  add(listener: KeyUseListener): void {
    this.listeners.push(listener);
  }

  tell(request: FastifyRequest): void {
    for (const listener of this.listeners) listener(request);
  }
}

/** Records that the caller's API key is in use. */
@Injectable()
export class KeyUseGuard implements CanActivate {
  constructor(
    private readonly uses: KeyUses,
    private readonly listeners: KeyUseListeners,
  ) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { keyHash } = request[edge];
    if (keyHash === null) return true;
    this.uses.record(keyHash);
    this.listeners.tell(request);
    return true;
  }
}
