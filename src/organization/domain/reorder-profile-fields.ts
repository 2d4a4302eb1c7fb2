import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { newOrder } from './new-order.js';
import type { ProfileFieldsReordered } from './organization.events.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class ReorderProfileFields {
  constructor(
    /** Ids of all of them, in the order in which profiles show them from now on. */
    readonly order: readonly number[],
    readonly by: CommandContext,
  ) {}
}

export const decideReorderProfileFields: Decide<
  ReorderProfileFields,
  OrganizationState,
  ProfileFieldsReordered,
  Administration
> = ({ order }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const change = newOrder(existing(state).profileFields, order);
  if (change === 'invalid') return refuse('FIELD_ORDER_INVALID');
  return change === 'same' ? [] : [{ type: 'ProfileFieldsReordered', data: change }];
};
