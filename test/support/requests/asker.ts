import { EventEmitter } from 'node:events';
import { type Asker, NO_CLIENT, type WatchedConnection } from '../../../src/platform/kernel/client-connection.js';

/** Somebody who waits as long as it takes. */
export const asker: Asker = { account: 1, connection: NO_CLIENT };

/** A client that a test lets hang up. */
export class HangingUp implements WatchedConnection {
  isDisconnected = false;
  private readonly ends = new EventEmitter();

  onEnd(act: () => void): void {
    this.ends.once('end', act);
  }

  hangUp(): void {
    this.isDisconnected = true;
    this.ends.emit('end');
  }
}
