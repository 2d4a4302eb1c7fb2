import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type EventQueueDocument, eventQueues } from '../../../../projections/event-queues/event-queues.projection.js';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import { PeriodicTask } from '../../../platform/kernel/periodic-task.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { ExpireQueue } from '../domain/expire-queue.js';
import { QueueActivity } from '../queries/queue-activity.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../queries/queue-settings.js';

const PAGE = 200;
const HOUR_MS = 3_600_000;

/** Expires idle queues. Several processes may sweep at once: expiring a queue twice is harmless. */
@Injectable()
export class QueueSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('EventQueues');
  private readonly sweeping: PeriodicTask;

  constructor(
    private readonly commands: CommandBus,
    private readonly activity: QueueActivity,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
  ) {
    this.sweeping = new PeriodicTask({
      every: Math.min(HOUR_MS, Math.max(1000, settings.idleLimit / 4)),
      ref: false,
      work: () =>
        this.sweep().then(
          () => undefined,
          (error: unknown) => this.log.error(`idle queues could not be looked for: ${String(error)}`),
        ),
    });
  }

  onApplicationBootstrap(): void {
    this.sweeping.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeping.stop();
  }

  /** @returns ids of the expired queues */
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
        if (await this.commands.execute(new ExpireQueue(queueId, by))) expired.push(queueId);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return expired;
      after = last._id;
    }
  }
}
