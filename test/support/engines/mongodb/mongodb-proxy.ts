import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Document } from 'mongodb';
import { addressIn, behindProxy, type MongodbAddress } from './address.js';
import { Link } from './link.js';
import { messageOf } from './message.js';
import { type MongodbRules, RuleBook } from './rules.js';

/**
 * A proxy in front of a stand-in for MongoDB. It refuses transactions that MongoDB refuses, takes its time for durable writes,
 * interrupts commands of killed sessions, counts commands, and can present an older server. A client may ask it for a report, see `standInReport`.
 */
export class MongodbProxy {
  private readonly links = new Set<Link>();
  private readonly book: RuleBook;

  private constructor(
    private readonly address: MongodbAddress,
    rules: MongodbRules,
    private readonly listening: Server,
    /** URL of the server behind this proxy. */
    readonly url: string,
  ) {
    this.book = new RuleBook(rules, (command) => sendTo(address, command));
    listening.on('connection', (client: Socket) => {
      this.links.add(new Link(client, this.address, this.book, rules, (link) => this.links.delete(link)));
    });
  }

  /** @param server URL of a server that speaks no TLS */
  static async start(server: string, rules: MongodbRules = {}): Promise<MongodbProxy> {
    const address = addressIn(server);
    const listening = createServer().listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const bound = listening.address();
    if (bound === null || typeof bound === 'string') throw new Error('the proxy has no port');
    return new MongodbProxy(address, rules, listening, behindProxy(address, bound.port));
  }

  async stop(): Promise<void> {
    this.book.close();
    const closed = once(this.listening, 'close');
    this.listening.close();
    for (const link of this.links) link.destroy();
    await closed;
  }
}

/** Sends a command on a connection of its own, and ignores the reply. A server that is gone has forgotten its transactions. */
function sendTo(address: MongodbAddress, command: Document): void {
  const socket = connect(address);
  socket.on('error', () => socket.destroy()).on('data', () => socket.destroy());
  socket.write(messageOf({ id: 1, responseTo: 0 }, command));
}
