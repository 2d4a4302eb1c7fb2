import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { lastIdAt } from '../../../../projections/client-events/client-events.documents.js';
import { Directory } from '../../../directory/directory.js';
import { EVENT_QUEUES_STREAM } from '../../../events/event-queues/event-queues.events.js';
import { ROLES } from '../../../events/shared/role.js';
import { BUS, type Bus } from '../../../platform/bus/bus.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import {
  DeleteQueue,
  decideDeleteQueue,
  decideExpireQueue,
  decideRegisterQueue,
  ExpireQueue,
  RegisterQueue,
  type Registration,
} from '../domain/event-queues.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../event-queues.settings.js';
import { GetInitialState } from '../queries/initial-state.handler.js';
import { LiveQueues } from '../services/live-queues.js';
import { QueueActivity } from '../services/queue-activity.js';
import { WaitingPolls } from '../services/waiting-polls.js';

const TOPIC = 'ended-queues';

/** Makes every process drop the queues that any process has deleted or expired. */
@Injectable()
export class EndedQueues implements OnApplicationShutdown {
  private readonly log = new Logger('EventQueues');
  private readonly stop: () => void;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    queues: LiveQueues,
    waiting: WaitingPolls,
  ) {
    this.stop = bus.subscribe(TOPIC, ({ queueId }) => {
      if (typeof queueId !== 'string') return;
      queues.forget(queueId);
      waiting.release(queueId);
    });
  }

  /** A process that misses the message looks the queue up again within seconds. */
  async announce(queueId: string): Promise<void> {
    await this.bus.publish(TOPIC, { queueId }).catch((error: unknown) => {
      this.log.warn(`other processes were not told that a queue has ended: ${String(error)}`);
    });
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}

@CommandHandler(RegisterQueue)
export class RegisterQueueHandler implements ICommandHandler<RegisterQueue> {
  constructor(
    private readonly directory: Directory,
    private readonly queries: QueryBus,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** Resolves when the queue can be polled. @throws DomainError NOT_AUTHORIZED_FOR_QUERY; UnavailableError */
  async execute(command: RegisterQueue): Promise<Registration> {
    const { userId, queue, fetchTypes, presenceHistoryDays, by } = command;
    const reader = this.directory.existingUser(userId);
    const { state, positions: statePositions } = await this.queries.execute(
      new GetInitialState({ reader, request: { fetchTypes, presenceHistoryDays, ...queue } }),
    );
    const facts = { queueId: randomUUID(), isGuest: reader.role === ROLES.guest, statePositions };
    const [registered] = decideRegisterQueue(command, undefined, facts);
    if (!registered) throw new Error('a queue was neither registered nor refused');
    const { position } = await this.runner.report(EVENT_QUEUES_STREAM, registered, by);
    await this.readYourWrites.waitFor(position, [registered]);
    return { queueId: facts.queueId, lastEventId: lastIdAt(registered.data.startsAfter), state };
  }
}

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
