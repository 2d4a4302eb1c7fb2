import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../kernel/outcome-errors.js';

/** Closed while the server listens but cannot answer yet: its organization is not loaded. */
@Injectable()
export class Gate {
  private isServing = false;
  private isInDoubt = (): boolean => false;

  get isOpen(): boolean {
    return this.isServing && !this.isInDoubt();
  }

  /** @param isInDoubt whether the log may have been replaced, so that this process's knowledge may be invalid */
  open(isInDoubt: () => boolean): void {
    this.isServing = true;
    this.isInDoubt = isInDoubt;
  }

  /** Closes the gate for good: the process cannot go on. */
  shut(): void {
    this.isServing = false;
  }

  /** @throws UnavailableError */
  requireOpen(): void {
    if (!this.isServing) throw new UnavailableError('the server is starting, or about to end');
    if (this.isInDoubt()) throw new UnavailableError('the log may have been replaced, which is being looked into');
  }
}
