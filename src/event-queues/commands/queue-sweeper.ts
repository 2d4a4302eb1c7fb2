import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type EventQueueDocument, eventQueues } from '../../../projections/event-queues.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { newEventId } from '../../kernel/new-event-id.js';
import { ExpireQueue } from '../domain/expire-queue.js';
import { QueueActivity } from '../queries/queue-activity.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../queries/queue-settings.js';

const PAGE = 200;
const HOUR_MS = 3_600_000;

/** Looks for queues that nobody asks any more. Several processes may do so at once: to expire twice is to expire. */
@Injectable()
export class QueueSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('EventQueues');
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly commands: CommandBus,
    private readonly activity: QueueActivity,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
  ) {}

  onApplicationBootstrap(): void {
    const every = Math.min(HOUR_MS, Math.max(1000, this.settings.idleLimit / 4));
    this.timer = setInterval(() => {
      this.sweeping = this.sweep().then(
        () => undefined,
        (error: unknown) => this.log.error(`idle queues could not be looked for: ${String(error)}`),
      );
    }, every).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.sweeping;
  }

  /** @returns ids of the queues that it expired */
  async sweep(): Promise<string[]> {
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    const expired: string[] = [];
    let after = '';
    for (;;) {
      const queues = this.readModels.collection<EventQueueDocument>(eventQueues, 'queues');
      const page = await queues.find(
        { _id: { $gt: after } },
        { sort: { _id: 1 }, limit: PAGE, projection: { _id: 1 } },
      );
      const idle = await this.activity.idleTimes(page.map(({ _id }) => _id));
      for (const [queueId, milliseconds] of idle) {
        if (milliseconds <= this.settings.idleLimit) continue;
        if (await this.commands.execute<ExpireQueue, boolean>(new ExpireQueue(queueId, by))) expired.push(queueId);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return expired;
      after = last._id;
    }
  }
}
