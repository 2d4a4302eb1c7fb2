import type { PlaygroundRemoved } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class RemovePlayground extends Command<{ playgroundId: number }> {}

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
