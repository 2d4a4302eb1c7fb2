import type { DocumentDatabase } from '../documents/document-store.js';
import type { Recorded } from '../kernel/event.js';
import type { Batch } from '../log/event-store.js';
import { Consumer, type ConsumerSetting } from './consumer.js';
import type { React, Reactor, ReactorContext } from './reactor.js';
import { ReactorCheckpoints } from './reactor-checkpoints.js';

/** The database that holds the checkpoints. */
export const REACTORS_DATABASE = 'reactors';

/** Batches without an event before the checkpoint is stored: a crash repeats their inspection. */
const MOST_EMPTY_BATCHES = 1_000;

interface ReactorsOptions extends ConsumerSetting, Pick<ReactorContext, 'mailer' | 'links' | 'site'> {
  readonly reactors: readonly Reactor[];
}

/**
 * Runs the reactors, each with a checkpoint of its own, which moves with each event that had an effect. Without a
 * checkpoint, they start at the log's end: earlier events have had their effects, or are too old for them.
 */
export class Reactors {
  private database: DocumentDatabase | null = null;
  private readonly followers: readonly ReactorFollower[];

  constructor(private readonly options: ReactorsOptions) {
    const { mailer, links, site, eventStore: log, codec } = options;
    this.followers = options.reactors.map(
      (reactor) => new ReactorFollower(options, reactor, reactor.open({ mailer, links, site, log, codec })),
    );
  }

  async start(): Promise<void> {
    const { documentStore, eventStore, reactors, shared } = this.options;
    this.database = await documentStore.database(REACTORS_DATABASE);
    const names = reactors.map(({ name }) => name);
    const checkpoints = await ReactorCheckpoints.open(this.database, names, () => eventStore.head(), shared?.fence);
    await Promise.all(this.followers.map((follower) => follower.start(checkpoints)));
  }

  async close(): Promise<void> {
    await Promise.all(this.followers.map((follower) => follower.close()));
    await this.database?.close();
  }
}

/** Hands events to one reactor. */
class ReactorFollower {
  private checkpoints: ReactorCheckpoints | null = null;
  private emptyBatches = 0;
  private readonly consumer: Consumer;

  constructor(
    options: ReactorsOptions,
    private readonly reactor: Reactor,
    private readonly react: React,
  ) {
    this.consumer = new Consumer({
      ...options,
      name: reactor.name,
      database: REACTORS_DATABASE,
      types: [reactor.on],
      startAfter: () => this.opened.of(reactor.name),
      handle: (events, batch) => this.handle(events, batch),
      again: (event) => this.consumer.attempt(event, () => this.react(event)),
    });
  }

  start(checkpoints: ReactorCheckpoints): Promise<void> {
    this.checkpoints = checkpoints;
    return this.consumer.start();
  }

  close(): Promise<void> {
    return this.consumer.close();
  }

  private get opened(): ReactorCheckpoints {
    if (!this.checkpoints) throw new Error(`${this.reactor.name} is not started`);
    return this.checkpoints;
  }

  private async handle(events: readonly Recorded[], batch: Batch): Promise<void> {
    const { name } = this.reactor;
    for (const event of events) {
      // After a stop, events are left to another process or to the next start.
      if (this.consumer.signal.aborted) return;
      let hadEffect = false;
      const isDone = await this.consumer.attempt(event, async () => {
        hadEffect = await this.react(event);
      });
      if (isDone && !hadEffect) continue;
      await this.opened.store(name, event.position, event);
      this.consumer.markHandled(event.position);
    }
    this.emptyBatches = batch.events.length > 0 ? 0 : this.emptyBatches + 1;
    const isDue = batch.events.length > 0 || this.emptyBatches > MOST_EMPTY_BATCHES;
    if (!isDue || this.consumer.position >= batch.position) return;
    await this.opened.store(name, batch.position, batch.events.at(-1));
    this.emptyBatches = 0;
  }
}
