import { Overloaded } from './admission.js';

/** The connection of the client that work is done for. */
export interface ClientConnection {
  readonly isDisconnected: boolean;
}

/** A connection that also tells when it ends. */
export interface WatchedConnection extends ClientConnection {
  /** Calls `act` once the client has its answer or has hung up. */
  onEnd(act: () => void): void;
}

/** The account that work is done for, and its client, which waits. */
export interface Asker {
  readonly account: number;
  readonly connection: WatchedConnection;
}

/** Stands for the client of work that nobody can end. */
export const NO_CLIENT: WatchedConnection = { isDisconnected: false, onEnd() {} };

/** Ends work that nobody waits for any more. @throws Overloaded if the client has hung up */
export function assertConnected(connection: ClientConnection): void {
  if (connection.isDisconnected) throw disconnected();
}

export const disconnected = (): Overloaded => new Overloaded('the client has disconnected', 0);
