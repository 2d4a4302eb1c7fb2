import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/**
 * Aborts when the server begins to close. Whoever holds a request open on purpose listens, and answers at once with
 * what there is: closing waits for every request that was accepted.
 */
@Injectable()
export class ShutdownSignal implements BeforeApplicationShutdown {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  beforeApplicationShutdown(): void {
    this.controller.abort();
  }
}
