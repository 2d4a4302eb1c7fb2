import { signal } from '@preact/signals';
import { patch, post, request } from '../../platform/api.js';
import { follow } from '../../platform/store.js';

/** A group of `GET /user_groups`, as far as the page reads it. */
export interface Group {
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

/** Asks again when something happens to a group. @returns ends that */
export const followGroups = (): (() => void) =>
  follow({
    happened({ type }) {
      // What failed is asked for at the next event, or by whoever does something here.
      if (type === 'user_group') loadGroups().catch(() => undefined);
    },
  });

/** @throws Refused */
export async function createGroup(group: { name: string; description: string; members: number[] }): Promise<void> {
  await post('/user_groups/create', group);
  await loadGroups();
}

/** @throws Refused */
export async function changeGroup({ id }: Group, changes: Changes): Promise<void> {
  await patch(`/user_groups/${id}`, changes);
  await loadGroups();
}

interface Changes {
  readonly name?: string;
  readonly description?: string;
  readonly deactivated?: false;
}

/** @throws Refused */
export async function deactivate({ id }: Group): Promise<void> {
  await post(`/user_groups/${id}/deactivate`, {});
  await loadGroups();
}

/** @throws Refused */
export async function changeMembers({ id }: Group, change: { add?: number[]; delete?: number[] }): Promise<void> {
  await post(`/user_groups/${id}/members`, change);
  await loadGroups();
}
