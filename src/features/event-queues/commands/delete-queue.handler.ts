import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EVENT_QUEUES_STREAM } from '../../../events/event-queues/event-queues.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { DeleteQueue, decideDeleteQueue } from '../domain/delete-queue.js';
import { LiveQueues } from '../queries/live-queues.js';
import { QueueActivity } from '../queries/queue-activity.js';
import { EndedQueues } from './ended-queues.js';

@CommandHandler(DeleteQueue)
export class DeleteQueueHandler implements ICommandHandler<DeleteQueue> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly queues: LiveQueues,
    private readonly ended: EndedQueues,
    private readonly activity: QueueActivity,
  ) {}

  /** @throws DomainError BAD_EVENT_QUEUE_ID */
  async execute(command: DeleteQueue): Promise<void> {
    const queue = await this.queues.find(command.queueId);
    for (const event of decideDeleteQueue(command, undefined, { ownerId: queue?.userId ?? null })) {
      const { position } = await this.runner.report(EVENT_QUEUES_STREAM, event, command.by);
      await this.readYourWrites.waitFor(position, [event]);
    }
    await this.ended.announce(command.queueId);
    await this.activity.forget(command.queueId);
  }
}
