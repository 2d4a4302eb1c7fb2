import type { PlaygroundRemoved } from '../../../events/organization/organization.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class RemovePlayground extends Command<void> {
  constructor(
    readonly playgroundId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideRemovePlayground: Decide<RemovePlayground, OrganizationState, PlaygroundRemoved, Administration> = (
  { playgroundId },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const playground =
    existing(state).playgrounds.find(({ id }) => id === playgroundId) ?? refuse('PLAYGROUND_NOT_FOUND');
  return [{ type: 'PlaygroundRemoved', data: { playground } }];
};
