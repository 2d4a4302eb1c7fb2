import { type Group, groups } from '../../platform/all-groups.js';
import { ChangeDescribed } from '../../platform/described.js';
import { DescribedRow, peopleInWords, type Step } from '../../platform/described-rows.js';
import { MemberList } from '../../platform/member-list.js';
import type { Me } from '../../platform/session.js';
import { changeGroup, changeMembers, deactivate } from './change-groups.js';
import { mayAdd, mayJoin, mayLeave, mayManage, mayRemove } from './group-may.js';
import { GroupRights } from './group-rights.js';

/** A group and what one can do with it. */
export function GroupRow({ group, me: { userId } }: { readonly group: Group; readonly me: Me }) {
  const { id, name, description, members, deactivated } = group;
  return (
    <DescribedRow
      name={name}
      title={<strong>{name}</strong>}
      hint={`${peopleInWords(members.length)}${within(group)}${description === '' ? '' : ` · ${description}`}`}
      step={stepOf(group, userId)}
    >
      {deactivated ? null : (
        <>
          {mayManage(group) && (
            <ChangeDescribed
              key={`${name} ${description}`}
              {...{ id, name, description }}
              save={(changes) => changeGroup(group, changes)}
              end={{ label: 'Deactivate', run: () => deactivate(group) }}
            />
          )}
          <MemberList
            name={name}
            members={members}
            add={mayAdd(group) ? (one) => changeMembers(group, { add: [one] }) : null}
            remove={mayRemove(group) ? (one) => changeMembers(group, { delete: [one] }) : null}
          />
          <GroupRights group={group} />
        </>
      )}
    </DescribedRow>
  );
}

function stepOf(group: Group, userId: number): Step | null {
  if (group.deactivated)
    return mayManage(group) ? { label: 'Reactivate', run: () => changeGroup(group, { deactivated: false }) } : null;
  if (group.members.includes(userId))
    return mayLeave(group) ? { label: 'Leave', run: () => changeMembers(group, { delete: [userId] }) } : null;
  return mayJoin(group) ? { label: 'Join', run: () => changeMembers(group, { add: [userId] }) } : null;
}

/** Names of the groups that are in it, whose people are in it, too. */
function within({ direct_subgroup_ids: ids }: Group): string {
  const names = groups.value.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return names.length === 0 ? '' : `, and those of ${names.join(', ')}`;
}
