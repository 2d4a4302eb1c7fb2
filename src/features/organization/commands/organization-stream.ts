import type { Directory } from '../../../directory/directory.js';
import { type Action, may } from '../../../directory/permissions.js';
import { ORGANIZATION_STREAM, type OrganizationEvent } from '../../../events/organization/organization.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import { type Administration, type OrganizationState, organization } from '../domain/organization.state.js';

export const organizationStream: CommandStream<OrganizationState, OrganizationEvent> = {
  stream: ORGANIZATION_STREAM,
  decider: organization,
  expects: 'existing',
};

interface Asked {
  readonly by: CommandContext;
}

/** Tells whether the actor has the permission. */
export function actorMay({ by: { actorId } }: Asked, action: Action, directory: Directory): boolean {
  const actor = actorId === null ? null : (directory.user(actorId) ?? refuse('USER_NOT_FOUND'));
  return may(actor, action, directory);
}

export const administration = (command: Asked, directory: Directory): Administration => ({
  mayAdminister: actorMay(command, 'administer', directory),
});
