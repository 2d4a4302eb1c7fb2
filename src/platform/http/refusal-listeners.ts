import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export type RefusalListener = (code: string, request: FastifyRequest) => void;

/** The listeners to the refusals that requests get. They must not throw, nor take time. */
@Injectable()
export class RefusalListeners {
  private readonly listeners: RefusalListener[] = [];

  add(listener: RefusalListener): void {
    this.listeners.push(listener);
  }

  /** @param code of the domain, not of the API */
  tell(code: string, request: FastifyRequest): void {
    for (const listener of this.listeners) listener(code, request);
  }
}
