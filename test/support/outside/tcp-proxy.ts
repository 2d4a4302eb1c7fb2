import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

interface Link {
  readonly client: Socket;
  readonly server: Socket;
}

/** A proxy between client and server that disturbs connections as networks and dying servers do. */
export class TcpProxy {
  private listening: Server;
  private readonly links = new Set<Link>();
  private isFrozen = false;
  private swallow: (() => void) | null = null;
  /** Called with the bytes from clients. */
  onAsked: (bytes: Buffer) => void = () => {};
  /** Number of bytes passed on to clients. */
  bytesAnswered = 0;

  private constructor(
    private readonly host: string,
    private readonly hostPort: number,
    readonly port: number,
    listening: Server,
  ) {
    this.listening = listening;
    listening.on('connection', (client: Socket) => this.link(client));
  }

  static async to(host: string, port: number): Promise<TcpProxy> {
    const listening = createServer().listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const address = listening.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
    return new TcpProxy(host, port, address.port, listening);
  }

  /** Number of open connections. */
  get connections(): number {
    return this.links.size;
  }

  /** Accepts connections, and passes nothing on. */
  freeze(): void {
    this.isFrozen = true;
    for (const { client, server } of this.links) for (const socket of [client, server]) socket.pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const { client, server } of this.links) for (const socket of [client, server]) socket.resume();
  }

  /** Ends all connections, and accepts none until `restore`. */
  async cut(): Promise<void> {
    this.listening.close();
    for (const { client, server } of this.links) for (const socket of [client, server]) socket.destroy();
    this.links.clear();
    await once(this.listening, 'close');
  }

  async restore(): Promise<void> {
    this.isFrozen = false;
    this.listening = createServer((client) => this.link(client)).listen(this.port, '127.0.0.1');
    await once(this.listening, 'listening');
  }

  /** Passes requests on, and drops answers. Resolves when the first answer is dropped. */
  loseAnswers(): Promise<void> {
    return new Promise((resolve) => {
      this.swallow = resolve;
    });
  }

  /** Ends the connections whose answers were dropped. */
  async answersLost(): Promise<void> {
    await this.cut();
    this.swallow = null;
    await this.restore();
  }

  async close(): Promise<void> {
    if (this.listening.listening) await this.cut();
  }

  private link(client: Socket): void {
    const server = connect(this.hostPort, this.host);
    const link = { client, server };
    this.links.add(link);
    const end = (): void => {
      this.links.delete(link);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', (bytes: Buffer) => {
      this.onAsked(bytes);
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (this.swallow) return this.swallow();
      this.bytesAnswered += bytes.length;
      client.write(bytes);
    });
    if (this.isFrozen) for (const socket of [client, server]) socket.pause();
  }
}
