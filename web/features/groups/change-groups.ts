import { type Group, type GroupRight, loadGroups } from '../../platform/all-groups.js';
import { patch, post } from '../../platform/api.js';

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

interface Changes extends Partial<Readonly<Record<GroupRight, unknown>>> {
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
