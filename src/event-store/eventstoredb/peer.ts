import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** `tls`: it takes part in a TLS handshake; `plain`: it takes connections, and no handshake; `nobody`: it takes none. */
export type Peer = 'tls' | 'plain' | 'nobody';

const PATIENCE_MS = 1000;

/** Who listens where a connection string points to: told apart because the client's own errors do not. */
export async function peerAt(url: string): Promise<Peer> {
  const [, host, port] = /^[^:]+:\/\/(?:[^@]*@)?([^:,/?]+)(?::(\d+))?/.exec(url) ?? [];
  if (host === undefined) return 'nobody';
  const at = { host, port: Number(port ?? 2113) };
  const takesTls = await succeeds((done) => {
    // Nothing is sent over it: whose certificate it is does not matter here, nor whether it asks for ours.
    const socket = connectTls({ ...at, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => done(true));
    return socket.on('error', (error: NodeJS.ErrnoException) => done(/_ALERT_/.test(error.code ?? '')));
  });
  if (takesTls) return 'tls';
  const takesAny = await succeeds((done) => connectPlain(at, () => done(true)).on('error', () => done(false)));
  return takesAny ? 'plain' : 'nobody';
}

function succeeds(connect: (done: (is: boolean) => void) => { destroy(): unknown }): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (is: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(is);
    };
    const timer = setTimeout(() => done(false), PATIENCE_MS);
    const socket = connect(done);
  });
}
