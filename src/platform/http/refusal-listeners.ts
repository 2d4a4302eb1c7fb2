import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Refusal } from './refusal.js';

export interface MetRefusal {
  /** Of the domain, not of the API. */
  readonly code: string;
  readonly refusal: Refusal;
}

type RefusalListener = (met: MetRefusal, request: FastifyRequest) => void;

/** The listeners to the refusals that requests get. They must not throw, nor take time. */
@Injectable()
export class RefusalListeners {
  private readonly listeners: RefusalListener[] = [];

  add(listener: RefusalListener): void {
    this.listeners.push(listener);
  }

  tell(met: MetRefusal, request: FastifyRequest): void {
    for (const listener of this.listeners) listener(met, request);
  }
}
