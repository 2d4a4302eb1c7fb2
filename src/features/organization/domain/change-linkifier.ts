import type { LinkifierChanged } from '../../../events/organization/organization.events.js';
import type { Linkifier } from '../../../events/organization/organization.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { checkLinkifier, type LinkifierDraft, numbered } from './linkifier-rules.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class ChangeLinkifier extends Command<{
  linkifierId: number;
  /** The new linkifier, complete. */
  linkifier: LinkifierDraft;
}> {}

export const decideChangeLinkifier: Decide<ChangeLinkifier, OrganizationState, LinkifierChanged, Administration> = (
  { linkifierId, linkifier },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { linkifiers } = existing(state);
  const from = linkifiers.find(({ id }) => id === linkifierId) ?? refuse('LINKIFIER_NOT_FOUND');
  const others = linkifiers.filter((other) => other !== from);
  checkLinkifier(linkifier, others);
  const to = numbered(from.id, linkifier);
  if (isSame(from, to)) return [];
  return [{ type: 'LinkifierChanged', data: { from, to } }];
};

const isSame = (a: Linkifier, b: Linkifier): boolean =>
  a.pattern === b.pattern &&
  a.urlTemplate === b.urlTemplate &&
  a.exampleInput === b.exampleInput &&
  a.reverseTemplate === b.reverseTemplate &&
  a.alternativeUrlTemplates.length === b.alternativeUrlTemplates.length &&
  a.alternativeUrlTemplates.every((template, index) => template === b.alternativeUrlTemplates[index]);
