import { useEffect } from 'preact/hooks';
import { useDeed } from '../../platform/deed.js';
import { Office, Problem } from '../../platform/office.js';
import { ROLES } from '../../platform/roles.js';
import { me } from '../../platform/session.js';
import { AddPerson } from './add-person.js';
import { loadInvitations } from './invitation-list.js';
import { Invitations } from './invitations.js';
import { loadPeople, loadRights, people, rights } from './people.js';
import { PeopleList } from './people-list.js';

/** People and invitations, with what the person who is signed in may do to them. */
export function People() {
  const { problem, run } = useDeed();
  const reader = me.value;
  const isGuest = reader?.role === ROLES.guest;
  useEffect(() => {
    // Somebody else may have been signed in.
    people.value = [];
    void run(async () => void (await Promise.all([loadPeople(), loadRights(), isGuest || loadInvitations()])));
  }, []);
  return (
    <Office at="people">
      <Problem>{problem}</Problem>
      {reader && <PeopleList me={reader} />}
      {rights.value.creates && <AddPerson />}
      {reader && !isGuest && <Invitations me={reader} />}
    </Office>
  );
}
