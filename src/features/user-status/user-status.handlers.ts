import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { Facts } from '../../directory/facts.js';
import { actorOf, may } from '../../directory/permissions.js';
import { personalStream } from '../../events/personal/personal.events.js';
import { Decisions } from '../../platform/commands/decisions.js';
import { MultiStreamCommand } from '../../platform/commands/multi-stream-command.js';
import { refuse } from '../../platform/kernel/deciding.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { Query } from '../../platform/kernel/query.js';
import { answersFrom } from '../../platform/read-models/answers-from.js';
import { ChangeUserSettings } from '../personal/domain/change-user-settings.js';
import {
  ChangeUserStatus,
  type ChangeUserStatusFacts,
  decideChangeUserStatus,
  userStatus,
} from './domain/user-status.js';
import { type StatusForClients, statusesOf, statusForClients } from './queries/statuses.queries.js';

@CommandHandler(ChangeUserStatus)
export class ChangeUserStatusHandler implements ICommandHandler<ChangeUserStatus> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  /** The setting comes last: it cannot be refused once the status is not. */
  async execute(command: ChangeUserStatus): Promise<void> {
    const { userId, changes, by } = command;
    const of = { stream: personalStream(userId), decider: userStatus, expects: 'any' as const };
    const parts = new MultiStreamCommand();
    await parts.do(
      () => this.decisions.decide(of, decideChangeUserStatus, command, this.factsOf(command)),
      ({ events }) => events.length > 0,
    );
    if (changes.away === undefined) return;
    const settings = { presence_enabled: !changes.away };
    await parts.do(
      () => this.commands.execute(new ChangeUserSettings({ userId, settings, account: {}, by })),
      () => true,
    );
  }

  private factsOf({ userId, by }: ChangeUserStatus): ChangeUserStatusFacts {
    const user = this.directory.user(userId);
    const actor = actorOf(by, this.directory);
    return {
      mayChange: by.actorId === userId || may(actor, 'administer', this.directory),
      user: user?.isActive ? (user.bot === null ? 'person' : 'bot') : 'nobody',
      keyId: newEventId(),
      customEmoji: this.directory.customEmoji,
    };
  }
}

/** A user's status as all see it. */
export class GetUserStatus extends Query<{ userId: number }, StatusForClients> {}

export const userStatusQueries = [
  answersFrom(GetUserStatus, Facts, async ({ userId }, { directory, readModels }) => {
    const user = directory.user(userId);
    if (!user?.isActive || user.bot !== null) return refuse('USER_NOT_FOUND');
    return statusForClients(user, (await statusesOf([userId], readModels)).get(userId));
  }),
];
