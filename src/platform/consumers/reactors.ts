import type { Recorded } from '../kernel/event.js';
import type { Batch } from '../log/event-store.js';
import { Consumer, type ConsumerSetting } from './consumer.js';
import type { React, Reactor, ReactorContext } from './reactor.js';

/** The database that holds the checkpoint. */
const REACTORS_DATABASE = 'reactors';

export interface ReactorsOptions extends ConsumerSetting, Pick<ReactorContext, 'mailer' | 'links' | 'site'> {
  readonly reactors: readonly Reactor[];
}

/**
 * Runs the reactors. The checkpoint moves with each event that had an effect. Without a checkpoint, it starts at the
 * log's end: earlier events have had their effects, or are too old for them.
 */
export class Reactors {
  private readonly opened: readonly { readonly on: string; readonly react: React }[];
  private readonly consumer: Consumer;

  constructor(options: ReactorsOptions) {
    const { reactors, mailer, links, site, eventStore: log, codec } = options;
    this.opened = reactors.map(({ on, open }) => ({ on, react: open({ mailer, links, site, log, codec }) }));
    this.consumer = new Consumer({
      ...options,
      database: REACTORS_DATABASE,
      types: reactors.map(({ on }) => on),
      startAfter: async (checkpoint) => {
        if (checkpoint !== null) return checkpoint;
        const head = await log.head();
        await this.consumer.storeCheckpoint(head);
        return head;
      },
      handle: (events, batch) => this.handle(events, batch),
    });
  }

  start(): Promise<void> {
    return this.consumer.start();
  }

  close(): Promise<void> {
    return this.consumer.close();
  }

  private async handle(events: readonly Recorded[], batch: Batch): Promise<void> {
    for (const event of events) {
      // After a stop, events are left to another process or to the next start.
      if (this.consumer.signal.aborted) return;
      for (const { on, react } of this.opened) {
        if (on !== event.type || !(await react(event))) continue;
        await this.consumer.storeCheckpoint(event.position, event);
        this.consumer.passed(event.position);
      }
    }
    if (events.length > 0 && this.consumer.position < batch.position)
      await this.consumer.storeCheckpoint(batch.position, batch.events.at(-1));
  }
}
