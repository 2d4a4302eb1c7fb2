import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/**
 * Aborts when the server begins to close. Handlers that hold a request open on purpose listen, and answer at once with
 * their results so far: closing waits for every accepted request.
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
