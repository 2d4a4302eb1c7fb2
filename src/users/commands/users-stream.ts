import { Injectable } from '@nestjs/common';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may, requireMember } from '../../directory/permissions.js';
import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { BotCreation, BotKeeper } from '../domain/bot-access.js';
import { USERS_STREAM, type UserEvent } from '../domain/users.events.js';
import { type UsersState, users } from '../domain/users.state.js';

/** What the handlers of this feature have in common: one stream, and who asks. */
@Injectable()
export class UsersStream {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns what was appended, once it has reached everybody who asks about accounts, and clients */
  async decide<Command extends { readonly by: CommandContext }, Event extends UserEvent, Context>(
    command: Command,
    decide: Decide<Command, UsersState, Event, Context>,
    context: Context,
  ): Promise<readonly Event[]> {
    const { events, position } = await this.runner.decide<Command, UsersState, Event, Context>({
      stream: USERS_STREAM,
      decider: users,
      decide,
      command,
      context,
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    return events;
  }

  /** Who asks; null: the server itself. */
  actor({ actorId }: CommandContext): UserRecord | null {
    if (actorId === null) return null;
    return this.directory.user(actorId) ?? refuse('USER_NOT_FOUND');
  }

  rank(by: CommandContext): { readonly isAdministrator: boolean; readonly isOwner: boolean } {
    const actor = this.actor(by);
    return { isAdministrator: may(actor, 'administer', this.directory), isOwner: may(actor, 'own', this.directory) };
  }

  /** @throws DomainError for guests and for bots, which keep no bots */
  keeper(by: CommandContext): BotKeeper {
    const actor = this.actor(by);
    if (actor) requireMember(actor);
    return { id: by.actorId, ...this.rank(by) };
  }

  botCreation(by: CommandContext): BotCreation {
    const actor = this.actor(by);
    return {
      mayCreateBots: may(actor, 'can_create_bots_group', this.directory),
      mayCreateWriteOnlyBots: may(actor, 'can_create_write_only_bots_group', this.directory),
    };
  }

  get uniqueNames(): boolean {
    return this.directory.setting('require_unique_names');
  }
}
