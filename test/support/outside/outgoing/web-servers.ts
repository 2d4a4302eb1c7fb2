import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Web servers on addresses of this machine, on one port. */
export class WebServers {
  /** Requests as `address path`, in their order. */
  readonly asked: string[] = [];
  /** By path. */
  readonly handlers = new Map<string, Handler>();
  private readonly servers: Server[] = [];
  port = 0;

  static async start(addresses: readonly string[]): Promise<WebServers> {
    const all = new WebServers();
    for (const address of addresses) await all.listen(address);
    return all;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  private async listen(address: string): Promise<void> {
    const server = createServer((request, response) => {
      this.asked.push(`${request.socket.localAddress} ${request.url}`);
      const handler = this.handlers.get(request.url ?? '');
      if (handler) handler(request, response);
      else response.writeHead(404).end();
    }).listen(this.port, address);
    await once(server, 'listening');
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
    this.port = bound.port;
    this.servers.push(server);
  }
}
