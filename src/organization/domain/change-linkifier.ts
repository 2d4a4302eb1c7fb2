import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { checkLinkifier, type LinkifierDraft } from './linkifier-rules.js';
import type { LinkifierChanged } from './organization.events.js';
import type { Linkifier } from './organization.settings.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class ChangeLinkifier {
  constructor(
    readonly linkifierId: number,
    /** What it is from now on, as a whole. */
    readonly linkifier: LinkifierDraft,
    readonly by: CommandContext,
  ) {}
}

export const decideChangeLinkifier: Decide<ChangeLinkifier, OrganizationState, LinkifierChanged, Administration> = (
  { linkifierId, linkifier },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { linkifiers } = existing(state);
  const from = linkifiers.find(({ id }) => id === linkifierId) ?? refuse('LINKIFIER_NOT_FOUND');
  checkLinkifier(
    linkifier,
    linkifiers.filter((other) => other !== from),
  );
  const to = { id: from.id, ...linkifier };
  return isSame(from, to) ? [] : [{ type: 'LinkifierChanged', data: { from, to } }];
};

const isSame = (a: Linkifier, b: Linkifier): boolean =>
  a.pattern === b.pattern &&
  a.urlTemplate === b.urlTemplate &&
  a.exampleInput === b.exampleInput &&
  a.reverseTemplate === b.reverseTemplate &&
  a.alternativeUrlTemplates.length === b.alternativeUrlTemplates.length &&
  a.alternativeUrlTemplates.every((template, index) => template === b.alternativeUrlTemplates[index]);
