import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EVENT_QUEUES_STREAM } from '../../../events/event-queues/event-queues.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { decideExpireQueue, ExpireQueue } from '../domain/expire-queue.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../event-queues.settings.js';
import { QueueActivity } from '../queries/queue-activity.js';
import { EndedQueues } from './ended-queues.js';

@CommandHandler(ExpireQueue)
export class ExpireQueueHandler implements ICommandHandler<ExpireQueue> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly ended: EndedQueues,
    private readonly activity: QueueActivity,
    @Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings,
  ) {}

  /** @returns whether the queue was idle for too long */
  async execute(command: ExpireQueue): Promise<boolean> {
    const { queueId } = command;
    const idleFor = (await this.activity.idleTimes([queueId])).get(queueId) ?? 0;
    const events = decideExpireQueue(command, undefined, { idleFor, limit: this.settings.idleLimit });
    if (events.length === 0) return false;
    for (const event of events) {
      const { position } = await this.runner.report(EVENT_QUEUES_STREAM, event, command.by);
      await this.readYourWrites.waitFor(position, [event]);
    }
    await this.ended.announce(queueId);
    await this.activity.forget(queueId);
    return true;
  }
}
