import type { LinkifiersReordered } from '../../../events/organization/organization.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { newOrder } from './new-order.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class ReorderLinkifiers extends Command<void> {
  constructor(
    /** Ids of all linkifiers, in the new order of application. */
    readonly order: readonly number[],
    readonly by: CommandContext,
  ) {
    super();
  }
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
  if (change === 'same') return [];
  return [{ type: 'LinkifiersReordered', data: { from: change.from, to: change.to } }];
};
