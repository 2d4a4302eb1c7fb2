import { useSignal } from '@preact/signals';
import { PresenceMark, StatusOf } from '../../platform/beside-name.js';
import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { roleName } from '../../platform/roles.js';
import type { Me } from '../../platform/session.js';
import { changeRole, mayChange, type Person, people, setActive } from './people.js';
import { PersonLogins } from './person-logins.js';
import { RoleField } from './role-field.js';

export const PeopleList = ({ me }: { readonly me: Me }) => (
  <section aria-labelledby="people">
    <h2 id="people">{`${people.value.length} people`}</h2>
    <ul class="rows">
      {people.value.map((person) => (
        <PersonRow key={person.id} person={person} me={me} />
      ))}
    </ul>
  </section>
);

function PersonRow({ person, me }: { readonly person: Person; readonly me: Me }) {
  const { problem, isBusy, run } = useDeed();
  const { id, name, email, role, isActive } = person;
  const showsLogins = useSignal(false);
  const maySet = mayChange(me, person);
  return (
    <li>
      <div class="who">
        <span>
          <strong>{name}</strong> <PresenceMark userId={id} /> <StatusOf userId={id} showsWords />
        </span>
        <span class="hint">
          {email}
          {!isActive && ' deactivated'}
        </span>
      </div>
      {maySet && isActive ? (
        <RoleField
          id={`role-${id}`}
          label={`Role of ${name}`}
          isLabelUnseen
          value={role}
          most={me.role}
          onChange={(chosen) => void run(() => changeRole(person, chosen))}
        />
      ) : (
        <span>{roleName(role)}</span>
      )}
      {maySet && id !== me.userId && (
        <button type="button" aria-disabled={isBusy} onClick={() => void run(() => setActive(person, !isActive))}>
          {isActive ? 'Deactivate' : 'Reactivate'}
          <span class="unseen">{` ${name}`}</span>
        </button>
      )}
      {maySet && id !== me.userId && (
        <button
          type="button"
          class="quiet"
          aria-expanded={showsLogins}
          onClick={() => (showsLogins.value = !showsLogins.value)}
        >
          Logins<span class="unseen">{` of ${name}`}</span>
        </button>
      )}
      <Problem>{problem}</Problem>
      {showsLogins.value && <PersonLogins person={person} />}
    </li>
  );
}
