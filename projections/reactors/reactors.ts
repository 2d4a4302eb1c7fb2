import type { DocumentDatabase, DocumentStore } from '../../src/document-store/document-store.js';
import type { EventCodec } from '../../src/event-codec/event-codec.js';
import type { Batch, EventStore } from '../../src/event-store/event-store.js';
import { followLog } from '../../src/event-store/follow-log.js';
import type { EventPlace } from '../../src/kernel/event.js';
import { type Position, START } from '../../src/kernel/position.js';
import type { Mailer } from '../../src/mail/mailer.js';
import { type Fence, Fenced, storeCheckpoint } from '../../src/processes/fence.js';
import { Accounts } from './accounts.js';
import type { Reactor } from './reactor.js';

/** Holds how far the log has had its effects. */
const REACTORS_DATABASE = 'reactors';

export interface ReactorsOptions {
  readonly eventStore: EventStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  readonly mailer: Mailer;
  readonly reactors: readonly Reactor[];
  readonly report: (error: unknown) => void;
  /** Where several processes take turns. */
  readonly shared?: { readonly fence: Fence /** It is another process's turn. */; readonly onFenced: () => void };
}

/**
 * Follows the log live, with a checkpoint of its own that moves with each event that had an effect. Where there is none,
 * it starts at the log's end: what happened before has had its effects, or is too old to have them.
 */
export class Reactors {
  private database: DocumentDatabase | null = null;
  private position: Position = START;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly accounts: Accounts;

  constructor(private readonly options: ReactorsOptions) {
    this.accounts = new Accounts(options.eventStore, options.codec);
  }

  async start(): Promise<void> {
    const { documentStore, eventStore, shared, reactors, report } = this.options;
    this.database = await documentStore.database(REACTORS_DATABASE);
    await shared?.fence.close(this.database);
    const remembered = await this.database.checkpoint();
    if (remembered === null) await this.remember(await eventStore.head());
    else this.position = remembered;
    this.running = followLog(eventStore, {
      after: () => this.position,
      filter: { types: reactors.map(({ on }) => on) },
      signal: this.stopping.signal,
      deliver: (batch) => this.deliver(batch),
      interrupted: (error) => {
        if (!(error instanceof Fenced)) return report(error);
        this.stopping.abort();
        shared?.onFenced();
      },
    });
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.database?.close();
  }

  private async deliver({ events, position }: Batch): Promise<void> {
    const { codec, reactors, mailer } = this.options;
    for (const event of await codec.decode(events)) {
      // What comes after a stop is somebody else's, or the next start's.
      if (this.stopping.signal.aborted) return;
      for (const { on, react } of reactors) {
        if (on !== event.type) continue;
        if (await react(event, { mailer, accounts: this.accounts })) await this.remember(event.position, event);
      }
    }
    if (events.length > 0 && this.position < position) await this.remember(position, events.at(-1));
    this.position = Math.max(this.position, position);
  }

  private async remember(position: Position, event?: EventPlace): Promise<void> {
    const { database } = this;
    if (database) await storeCheckpoint(database, position, this.options.shared?.fence, event);
    this.position = position;
  }
}
