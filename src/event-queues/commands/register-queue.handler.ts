import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { lastIdAt } from '../../../projections/client-events.documents.js';
import { eventQueues } from '../../../projections/event-queues.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { refuse } from '../../kernel/domain-error.js';
import { ROLES } from '../../kernel/role.js';
import { EVENT_QUEUES_STREAM } from '../domain/event-queues.events.js';
import { decideRegisterQueue, RegisterQueue } from '../domain/register-queue.js';
import { GetInitialState, type InitialState } from '../queries/initial-state.handler.js';

export interface Registration {
  readonly queueId: string;
  /** What the client has, with the state: what it asks its first events after. */
  readonly lastEventId: number;
  readonly state: InitialState['state'];
}

@CommandHandler(RegisterQueue)
export class RegisterQueueHandler implements ICommandHandler<RegisterQueue, Registration> {
  constructor(
    private readonly directory: Directory,
    private readonly queries: QueryBus,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** Resolves when the queue can be asked. @throws DomainError NOT_AUTHORIZED_FOR_QUERY; UnavailableError */
  async execute(command: RegisterQueue): Promise<Registration> {
    const { userId, queue, fetchTypes, by } = command;
    const reader = this.directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const { state, positions: statePositions } = await this.queries.execute<GetInitialState, InitialState>(
      new GetInitialState(reader, { fetchTypes, ...queue }),
    );
    const facts = { queueId: randomUUID(), isGuest: reader.role === ROLES.guest, statePositions };
    const [registered] = decideRegisterQueue(command, undefined, facts);
    if (!registered) throw new Error('a queue was neither registered nor refused');
    const { position } = await this.runner.report(EVENT_QUEUES_STREAM, registered, by);
    await this.readYourWrites.wait(position, [eventQueues]);
    return { queueId: facts.queueId, lastEventId: lastIdAt(registered.data.startsAfter), state };
  }
}
