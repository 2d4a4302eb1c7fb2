import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, isIP, type Server } from 'node:net';
import { types } from 'node:util';

/** Both addresses that clients try for `localhost`, whatever the machine's table of names says (RFC 6761, 6.3). */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Errors of an address that this machine does not have. */
const ABSENT: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

export interface Endpoint {
  /** IP address or name. */
  readonly host: string;
  /** 0: any free port, the same for all addresses. */
  readonly port: number;
  /** Connections that may wait to be accepted. */
  readonly backlog?: number;
}

/** Lets an HTTP server listen on all addresses of a name. Node's own servers listen on one address. */
export class ListeningAddresses {
  /** Accept connections at the second and further addresses, and give them to the server. */
  private readonly others: Server[] = [];

  constructor(private readonly server: HttpServer) {}

  /**
   * Leaves out addresses that the machine does not have, if it has another one of the name.
   * @returns the port
   * @throws Error with a code such as EADDRINUSE or ENOTFOUND; `close` ends what listens already
   */
  async open({ host, port, backlog }: Endpoint): Promise<number> {
    let absent: unknown;
    for (const address of await addressesOf(host)) {
      try {
        if (!this.server.listening) await listen(this.server, { host: address, port, backlog });
        else await this.openAnother({ host: address, port: portOf(this.server), backlog });
      } catch (error) {
        if (!types.isNativeError(error) || !('code' in error) || !ABSENT.has(error.code)) throw error;
        absent ??= error;
      }
    }
    if (!this.server.listening) throw absent;
    return portOf(this.server);
  }

  /** Accepts no more connections at the further addresses. Resolves when those that it accepted have ended. */
  async close(): Promise<void> {
    await Promise.all(
      this.others.splice(0).map(async (other) => {
        const closed = once(other, 'close');
        other.close();
        await closed;
      }),
    );
  }

  private async openAnother(endpoint: Endpoint): Promise<void> {
    // As Node makes an HTTP server.
    const other = createServer({ allowHalfOpen: true, noDelay: true });
    other.on('connection', (socket) => this.server.emit('connection', socket));
    await listen(other, endpoint);
    this.others.push(other);
  }
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  if (/^localhost\.?$/i.test(host)) return LOOPBACK;
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

async function listen(server: Server, endpoint: Endpoint): Promise<void> {
  server.listen(endpoint);
  await once(server, 'listening');
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
