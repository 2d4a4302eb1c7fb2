import { Overloaded } from './admission.js';

/** The connection of the client that work is done for. */
export interface ClientConnection {
  readonly isDisconnected: boolean;
}

/** Stands for the client of work that nobody can end. */
export const NO_CLIENT: ClientConnection = { isDisconnected: false };

/** Ends work that nobody waits for any more. @throws Overloaded if the client has hung up */
export function assertConnected(client: ClientConnection): void {
  if (client.isDisconnected) throw new Overloaded('the client has disconnected', 0);
}
