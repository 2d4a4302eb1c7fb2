import type { LinkifiersReordered } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { newOrder } from './new-order.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class ReorderLinkifiers extends Command<{
  /** Ids of all linkifiers, in the new order of application. */
  order: readonly number[];
}> {}

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
