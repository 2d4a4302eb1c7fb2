import type { Child } from '../servers/child.js';

const EVERY_MS = 100;

/** The most memory that a server has at any moment, MiB. */
export class Peak {
  private most = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly child: Child) {
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  stop(): number {
    clearInterval(this.timer);
    this.look();
    return this.most;
  }

  private look(): void {
    this.most = Math.max(this.most, this.child.residentMemory());
  }
}
