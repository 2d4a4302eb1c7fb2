import type { EventStoreDBClient } from '@eventstore/db-client';
import { EventStoreUnavailable } from '../event-store.js';
import { BatchAppends } from './batch-appends.js';
import { EngineClient } from './engine-client.js';

/** A client with its parts. Another link takes its place when its connection is dead. */
export interface Link {
  readonly client: EngineClient;
  readonly api: EventStoreDBClient;
  readonly appends: BatchAppends;
  readonly since: number;
  /** True once the server has answered on this link. */
  hasAnswered: boolean;
}

const LONGEST_PATIENCE_MS = 60_000;

/** The connection of a process to a server. All logs on that server share it. */
export class EngineConnection {
  private static readonly open = new Map<string, EngineConnection>();
  private users = 0;
  /** Number of clients in a row that never had an answer. */
  private fruitless = 0;
  private current: Link | undefined;

  private constructor(private readonly url: string) {}

  /** @throws Error if the connection string is malformed */
  static acquire(url: string): EngineConnection {
    let connection = EngineConnection.open.get(url);
    if (!connection) {
      connection = new EngineConnection(url);
      connection.current = newLink(url);
      EngineConnection.open.set(url, connection);
    }
    connection.users += 1;
    return connection;
  }

  /** @throws EventStoreUnavailable after the connection was closed */
  get link(): Link {
    if (!this.current) throw new EventStoreUnavailable('the log is closed', 'no');
    return this.current;
  }

  isCurrent(link: Link): boolean {
    return this.current === link;
  }

  /**
   * Replaces a link that was silent for `silence` ms; calls of the old client end. A connection that was never established
   * gets more time with each attempt: its socket stays until the peer gives it up.
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
    EngineConnection.open.delete(this.url);
    this.current?.client.dispose();
    this.current = undefined;
  }
}

function newLink(url: string): Link {
  const client = new EngineClient(url);
  return { client, api: client.api, appends: new BatchAppends(client), since: performance.now(), hasAnswered: false };
}
