import { signal } from '@preact/signals';
import { request } from './api.js';
import { useLoaded } from './loaded.js';
import type { Holders } from './rights.js';

/** Who may do something with a group. */
export type GroupRight =
  | 'can_add_members_group'
  | 'can_join_group'
  | 'can_leave_group'
  | 'can_manage_group'
  | 'can_mention_group'
  | 'can_remove_members_group';

/** A group of `GET /user_groups`, as far as the page reads it. */
export interface Group extends Readonly<Record<GroupRight, Holders>> {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_system_group: boolean;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly deactivated: boolean;
}

/** All groups, those that are deactivated too, in the order of their names. */
export const groups = signal<readonly Group[]>([]);

/** @throws Refused */
export async function loadGroups(): Promise<void> {
  const { user_groups: all } = await request<{ user_groups: readonly Group[] }>('GET', '/user_groups', {
    query: { include_deactivated_groups: true },
  });
  groups.value = [...all].sort((one, other) => one.name.localeCompare(other.name));
}

/** Has all groups while something is shown. */
export const useGroups = () => useLoaded(loadGroups, ['user_group']);
