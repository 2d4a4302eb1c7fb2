import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { eventQueues } from '../../../projections/event-queues.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { DeleteQueue, decideDeleteQueue } from '../domain/delete-queue.js';
import { EVENT_QUEUES_STREAM } from '../domain/event-queues.events.js';
import { findQueue } from '../queries/live-queue.js';
import { QueueActivity } from '../queries/queue-activity.js';
import { WaitingPolls } from '../queries/waiting-polls.js';

@CommandHandler(DeleteQueue)
export class DeleteQueueHandler implements ICommandHandler<DeleteQueue, void> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly waiting: WaitingPolls,
    private readonly activity: QueueActivity,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError BAD_EVENT_QUEUE_ID */
  async execute(command: DeleteQueue): Promise<void> {
    const queue = await findQueue(this.readModels, command.queueId);
    for (const event of decideDeleteQueue(command, undefined, { ownerId: queue?.userId ?? null })) {
      const { position } = await this.runner.report(EVENT_QUEUES_STREAM, event, command.by);
      await this.readYourWrites.wait(position, [eventQueues]);
    }
    this.waiting.release(command.queueId);
    await this.activity.forget(command.queueId);
  }
}
