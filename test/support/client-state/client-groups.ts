import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** A client's groups: `realm_user_groups`, kept up to date by `user_group` events. */
export class ClientGroups {
  private readonly groups: Map<number, Fields>;

  constructor(records: readonly Fields[] = []) {
    this.groups = new Map(records.map((record) => [record.id, structuredClone(record)]));
  }

  apply(event: ClientEvent): void {
    switch (event.op) {
      case 'add':
        if (this.groups.has(event.group.id)) throw new Error(`group ${event.group.id} came twice`);
        this.groups.set(event.group.id, structuredClone(event.group));
        return;
      case 'remove':
        this.of(event);
        this.groups.delete(event.group_id);
        return;
      case 'update':
        Object.assign(this.of(event), structuredClone(event.data));
        return;
      case 'add_members':
        this.change(event, 'members', (ids) => [...ids, ...event.user_ids]);
        return;
      case 'remove_members':
        this.change(event, 'members', (ids) => ids.filter((id) => !event.user_ids.includes(id)));
        return;
      case 'add_subgroups':
        this.change(event, 'direct_subgroup_ids', (ids) => [...ids, ...event.direct_subgroup_ids]);
        return;
      case 'remove_subgroups':
        this.change(event, 'direct_subgroup_ids', (ids) => ids.filter((id) => !event.direct_subgroup_ids.includes(id)));
        return;
      default:
        throw new Error(`a client knows no ${JSON.stringify(event)}`);
    }
  }

  /** Removes a deactivated account from groups and permissions. No event tells this. */
  drop(userId: number): void {
    for (const group of this.groups.values()) {
      group.members = group.members.filter((id: number) => id !== userId);
      withoutMember(group, userId);
    }
  }

  get comparable(): Fields[] {
    return [...this.groups.entries()].sort(([a], [b]) => a - b).map(([, group]) => group);
  }

  private of({ group_id }: ClientEvent): Fields {
    const group = this.groups.get(group_id);
    if (!group) throw new Error(`group ${group_id} changed, and is not known`);
    return group;
  }

  private change(event: ClientEvent, field: string, to: (ids: number[]) => number[]): void {
    const group = this.of(event);
    group[field] = ascending(to(group[field]));
  }
}

/** Removes an account from every permission of a record. */
export function withoutMember(record: Fields, userId: number): void {
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== 'object' || !Array.isArray(value?.direct_members)) continue;
    record[name] = { ...value, direct_members: value.direct_members.filter((id: number) => id !== userId) };
  }
}
