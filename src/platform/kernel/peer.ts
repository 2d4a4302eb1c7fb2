import { connect } from 'node:tls';

/**
 * `tls`: takes part in a TLS handshake; `plain`: accepts connections, and breaks off the handshake; `silent`: accepts
 * connections and sends nothing; `nobody`: accepts none.
 */
type Peer = 'tls' | 'plain' | 'silent' | 'nobody';

const PATIENCE_MS = 1000;

/** The kind of server that listens at the address. Needed because the errors of engines' clients do not distinguish. */
export function peerAt(address: { readonly host: string; readonly port: number }): Promise<Peer> {
  return new Promise((resolve) => {
    let isConnected = false;
    const done = (peer: Peer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(peer);
    };
    const timer = setTimeout(() => done(isConnected ? 'silent' : 'nobody'), PATIENCE_MS);
    // No data is sent: the server's certificate does not matter, nor whether the server asks for a client's.
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
