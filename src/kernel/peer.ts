import { connect } from 'node:tls';

/**
 * `tls`: it takes part in a TLS handshake; `plain`: it takes connections, and breaks off the handshake; `silent`: it takes
 * connections and says nothing; `nobody`: it takes none.
 */
export type Peer = 'tls' | 'plain' | 'silent' | 'nobody';

const PATIENCE_MS = 1000;

/** Who listens there: told apart because the errors of engines' clients do not. */
export function peerAt(address: { readonly host: string; readonly port: number }): Promise<Peer> {
  return new Promise((resolve) => {
    let isConnected = false;
    const done = (peer: Peer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(peer);
    };
    const timer = setTimeout(() => done(isConnected ? 'silent' : 'nobody'), PATIENCE_MS);
    // Nothing is sent over it: whose certificate it is does not matter here, nor whether it asks for ours.
    const socket = connect({ ...address, rejectUnauthorized: false }, () => done('tls'));
    socket.on('connect', () => {
      isConnected = true;
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (/_ALERT_/.test(code ?? '')) done('tls');
      else done(isConnected ? 'plain' : 'nobody');
    });
  });
}
