import { groups, useGroups } from '../../platform/all-groups.js';
import { AddDescribed } from '../../platform/described.js';
import { DescribedList } from '../../platform/described-rows.js';
import { isGivenEverywhere } from '../../platform/given.js';
import { Office, Problem } from '../../platform/office.js';
import { me } from '../../platform/session.js';
import { createGroup } from './change-groups.js';
import { GroupRow } from './group-row.js';

const NONE_YET = 'There is no group yet: make the first one below.';
const NONE = 'There is no group yet: ask an administrator for one.';

/** Groups of people: which one is in, and what one may change of them. The server decides that. */
export function Groups() {
  const { problem, isLoaded } = useGroups();
  const reader = me.value;
  const makes = isGivenEverywhere('can_create_groups');
  const made = groups.value.filter((group) => !group.is_system_group);
  const inUse = made.filter(({ deactivated }) => !deactivated);
  const notInUse = made.filter(({ deactivated }) => deactivated);
  return (
    <Office at="groups">
      <Problem>{problem}</Problem>
      <p class="hint">
        A group is mentioned as <code>@*name*</code>, and permissions can be given to it.
      </p>
      {isLoaded.value && (
        <DescribedList kind="group" count={inUse.length} none={makes ? NONE_YET : NONE}>
          {reader && inUse.map((group) => <GroupRow key={group.id} group={group} me={reader} />)}
        </DescribedList>
      )}
      {reader && makes && (
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
