import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type EventQueueDocument, eventQueues } from '../../../../projections/event-queues/event-queues.projection.js';
import { Sweeper } from '../../../platform/commands/sweeper.js';
import { HOUR_MS } from '../../../platform/kernel/durations.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { ExpireQueue } from '../domain/event-queues.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../event-queues.settings.js';
import { QueueActivity } from './queue-activity.js';

const PAGE = 200;

/** Expires idle queues. Several processes may sweep at once: expiring a queue twice is harmless. */
@Injectable()
export class QueueSweeper extends Sweeper<string[]> {
  constructor(
    private readonly commands: CommandBus,
    private readonly activity: QueueActivity,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
  ) {
    super({
      name: 'EventQueues',
      failure: 'idle queues could not be looked for',
      every: Math.min(HOUR_MS, Math.max(1000, settings.idleLimit / 4)),
    });
  }

  /** @returns ids of the expired queues */
  async sweep(): Promise<string[]> {
    const by = this.context();
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
        if (await this.commands.execute(new ExpireQueue({ queueId, by }))) expired.push(queueId);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return expired;
      after = last._id;
    }
  }
}
