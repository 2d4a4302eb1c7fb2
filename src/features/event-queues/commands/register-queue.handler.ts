import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { lastIdAt } from '../../../../projections/client-events/client-events.documents.js';
import { Directory } from '../../../directory/directory.js';
import { EVENT_QUEUES_STREAM } from '../../../events/event-queues/event-queues.events.js';
import { ROLES } from '../../../events/shared/role.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { decideRegisterQueue, RegisterQueue, type Registration } from '../domain/register-queue.js';
import { GetInitialState } from '../queries/initial-state.handler.js';

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
    const reader = this.directory.user(userId) ?? refuse('USER_NOT_FOUND');
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
