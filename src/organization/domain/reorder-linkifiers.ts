import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { newOrder } from './new-order.js';
import type { LinkifiersReordered } from './organization.events.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class ReorderLinkifiers {
  constructor(
    /** Ids of all of them, in the order in which they apply from now on. */
    readonly order: readonly number[],
    readonly by: CommandContext,
  ) {}
}

export const decideReorderLinkifiers: Decide<
  ReorderLinkifiers,
  OrganizationState,
  LinkifiersReordered,
  Administration
> = ({ order }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const change = newOrder(existing(state).linkifiers, order);
  if (change === 'invalid') return refuse('LINKIFIER_ORDER_INVALID');
  return change === 'same' ? [] : [{ type: 'LinkifiersReordered', data: change }];
};
