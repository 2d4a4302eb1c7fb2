import type { EventStoreDBClient } from '@eventstore/db-client';
import { EventStoreUnavailable } from '../event-store.js';
import { BatchAppends } from './batch-appends.js';
import { EngineClient } from './engine-client.js';

/** A client and what hangs on it; another takes its place when its connection turns out to be dead. */
export interface Link {
  readonly client: EngineClient;
  readonly api: EventStoreDBClient;
  readonly appends: BatchAppends;
  readonly since: number;
  /** Whether the server has ever said anything on it. */
  hasAnswered: boolean;
}

const LONGEST_PATIENCE_MS = 60_000;

/** The one connection that a process has to a server, shared by all who open it. */
export class Connection {
  private static readonly open = new Map<string, Connection>();
  private users = 0;
  /** Clients in a row that were never answered. */
  private fruitless = 0;
  private current: Link | undefined;

  private constructor(private readonly url: string) {}

  /** @throws Error where the connection string is none */
  static acquire(url: string): Connection {
    let connection = Connection.open.get(url);
    if (!connection) {
      connection = new Connection(url);
      connection.current = newLink(url);
      Connection.open.set(url, connection);
    }
    connection.users += 1;
    return connection;
  }

  /** @throws EventStoreUnavailable once it is closed */
  get link(): Link {
    if (!this.current) throw new EventStoreUnavailable('the log is closed', 'no');
    return this.current;
  }

  isCurrent(link: Link): boolean {
    return this.current === link;
  }

  /**
   * After so many milliseconds of silence: a new client asks anew, and calls of the old one end. A connection that never
   * came about is given more time with each attempt, because what is behind it is not let go of before the peer does.
   */
  replace(link: Link, silence: number): void {
    if (this.current !== link) return;
    if (link.hasAnswered) this.fruitless = 0;
    else {
      const patience = Math.min(LONGEST_PATIENCE_MS, silence * 2 ** this.fruitless);
      if (performance.now() - link.since < patience) return;
      this.fruitless += 1;
    }
    link.client.dispose();
    this.current = newLink(this.url);
  }

  release(): void {
    this.users -= 1;
    if (this.users > 0) return;
    Connection.open.delete(this.url);
    this.current?.client.dispose();
    this.current = undefined;
  }
}

function newLink(url: string): Link {
  const client = new EngineClient(url);
  return { client, api: client.api, appends: new BatchAppends(client), since: performance.now(), hasAnswered: false };
}
