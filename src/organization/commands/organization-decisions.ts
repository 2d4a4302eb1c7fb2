import { Injectable } from '@nestjs/common';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { type Action, may } from '../../directory/permissions.js';
import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { ORGANIZATION_STREAM, type OrganizationEvent } from '../domain/organization.events.js';
import { type Administration, type OrganizationState, organization } from '../domain/organization.state.js';

/** What every command on the organisation's stream has in common: it is decided on, and clients know of it. */
@Injectable()
export class OrganizationDecisions {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns the events; empty where there was nothing to do */
  async decide<Command extends { readonly by: CommandContext }, Event extends OrganizationEvent, Context>(
    decide: Decide<Command, OrganizationState, Event, Context>,
    command: Command,
    context: Context,
  ): Promise<readonly Event[]> {
    const { events, position } = await this.runner.decide<Command, OrganizationState, Event, Context>({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide,
      command,
      context,
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    return events;
  }

  /** Whether who asks may do that. */
  may({ by }: { readonly by: CommandContext }, action: Action): boolean {
    const { actorId } = by;
    const actor = actorId === null ? null : (this.directory.user(actorId) ?? refuse('USER_NOT_FOUND'));
    return may(actor, action, this.directory);
  }

  /** What most of them ask. */
  administration(command: { readonly by: CommandContext }): Administration {
    return { mayAdminister: this.may(command, 'administer') };
  }
}
