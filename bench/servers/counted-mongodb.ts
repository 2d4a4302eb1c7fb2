import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type SentCommand, WireReader } from './mongodb-wire.js';

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

/** A command that waits for the disks, with the milliseconds of `performance.now()` between which it was held back. */
export interface HeldCommit {
  readonly command: SentCommand;
  readonly from: number;
  readonly until: number;
}

/** A proxy in front of MongoDB that notes the commands of its clients, whichever process they are in. */
export class CountedMongodb {
  /** Milliseconds that each commit takes longer than the server does. */
  commitMs = 0;
  #sent: SentCommand[] = [];
  #held: HeldCommit[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly listening: Server,
    /** URL of the database behind the proxy. */
    readonly url: string,
  ) {}

  /** @param url of a database; of several hosts, the first must be the primary */
  static async before(url: string): Promise<CountedMongodb> {
    const [, credentials = '', host = '', port = '27017', database = ''] =
      /^mongodb:\/\/([^@/]*@)?([^:,/?]+)(?::(\d+))?[^/?]*\/?([^?]*)/.exec(url) ?? [];
    if (host === '') throw new Error('MONGODB_URL is no address of a server: mongodb://…');
    const listening = createServer().listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const address = listening.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
    const own = `mongodb://${credentials}127.0.0.1:${address.port}/${database}?directConnection=true`;
    const counted = new CountedMongodb(listening, own);
    listening.on('connection', (client) => counted.#link(client, connect(Number(port), host)));
    return counted;
  }

  /** The commands since the last call. */
  take(): readonly SentCommand[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  /** The commits that were held back for `commitMs` and passed on since the last call. */
  takeHeld(): readonly HeldCommit[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  async close(): Promise<void> {
    const closed = once(this.listening, 'close');
    this.listening.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #hold(command: SentCommand): Promise<void> {
    const from = performance.now();
    await pause(this.commitMs);
    this.#held.push({ command, from, until: performance.now() });
  }

  #link(client: Socket, server: Socket): void {
    const ends = [client, server];
    for (const socket of ends) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        for (const end of ends) end.destroy();
      });
    }
    server.on('data', (bytes) => client.write(bytes));
    const reader = new WireReader();
    let passed: Promise<unknown> = Promise.resolve();
    client.on('data', (bytes) => {
      for (const { message, command } of reader.read(bytes)) {
        if (command) this.#sent.push(command);
        const held = this.commitMs > 0 && command && isCommit(command) ? command : null;
        passed = passed.then(() => (held ? this.#hold(held) : null)).then(() => server.write(message));
      }
    });
  }
}

/** Tells whether the client waits for the disks. */
const isCommit = ({ name, transaction }: SentCommand): boolean =>
  name === 'commitTransaction' || (transaction === null && WRITES.has(name));
