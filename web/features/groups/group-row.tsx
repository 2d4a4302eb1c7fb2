import { useSignal } from '@preact/signals';
import { type Group, groups } from '../../platform/all-groups.js';
import { useDeed } from '../../platform/deed.js';
import { ChangeDescribed } from '../../platform/described.js';
import { MemberList } from '../../platform/member-list.js';
import { Problem } from '../../platform/office.js';
import type { Me } from '../../platform/session.js';
import { changeGroup, changeMembers, deactivate } from './change-groups.js';
import { GroupRights } from './group-rights.js';

/** A group and what one can do with it. */
export function GroupRow({ group, me: { userId } }: { readonly group: Group; readonly me: Me }) {
  const { problem, isBusy, run } = useDeed();
  const isOpen = useSignal(false);
  const { id, name, description, members, deactivated } = group;
  const isIn = members.includes(userId);
  return (
    <li>
      <div class="who">
        <strong>{name}</strong>
        <span class="hint">
          {members.length === 1 ? '1 person' : `${members.length} people`}
          {within(group)}
          {description !== '' && ` · ${description}`}
        </span>
      </div>
      {deactivated ? (
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => void run(() => changeGroup(group, { deactivated: false }))}
        >
          Reactivate<span class="unseen">{` ${name}`}</span>
        </button>
      ) : (
        <>
          <button
            type="button"
            aria-disabled={isBusy}
            onClick={() => void run(() => changeMembers(group, isIn ? { delete: [userId] } : { add: [userId] }))}
          >
            {isIn ? 'Leave' : 'Join'}
            <span class="unseen">{` ${name}`}</span>
          </button>
          <button
            type="button"
            class="quiet"
            aria-expanded={isOpen}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            More<span class="unseen">{` of ${name}`}</span>
          </button>
        </>
      )}
      <Problem>{problem}</Problem>
      {isOpen.value && (
        <div class="more">
          <ChangeDescribed
            key={`${name} ${description}`}
            {...{ id, name, description }}
            save={(changes) => changeGroup(group, changes)}
            end={{ label: 'Deactivate', run: () => deactivate(group) }}
          />
          <MemberList
            name={name}
            members={members}
            add={(id) => changeMembers(group, { add: [id] })}
            remove={(id) => changeMembers(group, { delete: [id] })}
          />
          <GroupRights group={group} />
        </div>
      )}
    </li>
  );
}

/** Names of the groups that are in it, whose people are in it, too. */
function within({ direct_subgroup_ids: ids }: Group): string {
  const names = groups.value.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return names.length === 0 ? '' : `, and those of ${names.join(', ')}`;
}
