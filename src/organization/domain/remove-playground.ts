import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { PlaygroundRemoved } from './organization.events.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class RemovePlayground {
  constructor(
    readonly playgroundId: number,
    readonly by: CommandContext,
  ) {}
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
