import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../kernel/domain-error.js';

/** Closed while a server listens already and its organisation is not there yet. */
@Injectable()
export class Gate {
  isOpen = false;

  open(): void {
    this.isOpen = true;
  }

  /** For good: it cannot go on. */
  shut(): void {
    this.isOpen = false;
  }

  /** @throws UnavailableError */
  requireOpen(): void {
    if (!this.isOpen) throw new UnavailableError('the server is starting, or about to end');
  }
}
