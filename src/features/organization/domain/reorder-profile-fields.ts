import type { ProfileFieldsReordered } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { newOrder } from './new-order.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class ReorderProfileFields extends Command<{
  /** Ids of all fields, in the new order of display. */
  order: readonly number[];
}> {}

export const decideReorderProfileFields: Decide<
  ReorderProfileFields,
  OrganizationState,
  ProfileFieldsReordered,
  Administration
> = ({ order }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const change = newOrder(existing(state).profileFields, order);
  if (change === 'invalid') return refuse('FIELD_ORDER_INVALID');
  if (change === 'same') return [];
  return [{ type: 'ProfileFieldsReordered', data: { from: change.from, to: change.to } }];
};
