import { useEffect } from 'preact/hooks';
import { followGroups, groups, loadGroups } from '../../platform/all-groups.js';
import { useDeed } from '../../platform/deed.js';
import { AddDescribed } from '../../platform/described.js';
import { Office, Problem } from '../../platform/office.js';
import { ROLES } from '../../platform/roles.js';
import { me } from '../../platform/session.js';
import { createGroup } from './change-groups.js';
import { GroupRow } from './group-row.js';

/** Groups of people: which one is in, and what one may change of them. The server decides that. */
export function Groups() {
  const { problem, run } = useDeed();
  useEffect(() => {
    // Somebody else may have been signed in.
    groups.value = [];
    void run(loadGroups);
    return followGroups();
  }, []);
  const reader = me.value;
  const made = groups.value.filter((group) => !group.is_system_group);
  const inUse = made.filter(({ deactivated }) => !deactivated);
  const notInUse = made.filter(({ deactivated }) => deactivated);
  return (
    <Office at="groups">
      <Problem>{problem}</Problem>
      <p class="hint">
        A group is mentioned as <code>@*name*</code>, and permissions can be given to it.
      </p>
      <section aria-labelledby="groups">
        <h2 id="groups">{inUse.length === 1 ? '1 group' : `${inUse.length} groups`}</h2>
        <ul class="rows">{reader && inUse.map((group) => <GroupRow key={group.id} group={group} me={reader} />)}</ul>
      </section>
      {reader && reader.role !== ROLES.guest && (
        <AddDescribed
          kind="group"
          descriptionLabel="Who is in it"
          create={(group) => createGroup({ ...group, members: [reader.userId] })}
        />
      )}
      {notInUse.length > 0 && (
        <section aria-labelledby="deactivated">
          <h2 id="deactivated">Deactivated</h2>
          <ul class="rows">
            {reader && notInUse.map((group) => <GroupRow key={group.id} group={group} me={reader} />)}
          </ul>
        </section>
      )}
    </Office>
  );
}
