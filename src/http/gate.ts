import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../kernel/domain-error.js';

/** Closed while a server listens already and its organisation is not there yet. */
@Injectable()
export class Gate {
  private isServing = false;
  private isInDoubt = (): boolean => false;

  get isOpen(): boolean {
    return this.isServing && !this.isInDoubt();
  }

  /** @param isInDoubt whether it may turn out at any moment that nothing of what is known here counts any more */
  open(isInDoubt: () => boolean): void {
    this.isServing = true;
    this.isInDoubt = isInDoubt;
  }

  /** For good: it cannot go on. */
  shut(): void {
    this.isServing = false;
  }

  /** @throws UnavailableError */
  requireOpen(): void {
    if (!this.isServing) throw new UnavailableError('the server is starting, or about to end');
    if (this.isInDoubt()) throw new UnavailableError('the log may have been replaced, which is being looked into');
  }
}
