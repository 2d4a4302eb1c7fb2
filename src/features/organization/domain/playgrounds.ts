import type { PlaygroundAdded, PlaygroundRemoved } from '../../../events/organization/organization.events.js';
import type { Playground } from '../../../events/organization/organization.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { templateVariables } from './linkifiers.js';
import { type Administration, existing, type OrganizationState } from './organization.js';

export class AddPlayground extends Command<{ playground: Omit<Playground, 'id'> }, number> {}

/** Any name that can follow the backticks of a code block. The language need not be known. */
const LANGUAGE = /^[a-zA-Z0-9_+\-./# ]+$/;

export const decideAddPlayground: Decide<AddPlayground, OrganizationState, PlaygroundAdded, Administration> = (
  { playground },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { name, pygmentsLanguage, urlTemplate } = playground;
  if (name === '') refuse('PLAYGROUND_NAME_EMPTY');
  if (!LANGUAGE.test(pygmentsLanguage)) refuse('PLAYGROUND_LANGUAGE_INVALID');
  const variables = templateVariables(urlTemplate) ?? refuse('INVALID_URL_TEMPLATE');
  if (!variables.has('code')) refuse('PLAYGROUND_NEEDS_CODE');
  if (variables.size > 1) refuse('PLAYGROUND_ONLY_CODE');
  const { playgrounds, lastIds } = existing(state);
  if (playgrounds.some((other) => other.name === name && other.pygmentsLanguage === pygmentsLanguage))
    refuse('PLAYGROUND_EXISTS');
  const id = lastIds.playground + 1;
  return [{ type: 'PlaygroundAdded', data: { playground: { id, name, pygmentsLanguage, urlTemplate } } }];
};

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
