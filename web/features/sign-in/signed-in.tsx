import { useSignal } from '@preact/signals';
import { OfficeLinks } from '../../platform/office.js';
import { isAdministrator } from '../../platform/roles.js';
import { type Me, signOut } from '../../platform/session.js';
import { people } from '../../platform/store.js';

export function SignedIn({ me }: { readonly me: Me }) {
  const problem = useSignal('');
  const leave = () =>
    signOut().catch((error: Error) => {
      problem.value = error.message;
    });
  return (
    <section aria-labelledby="signed-in">
      <h2 id="signed-in">You are signed in as {people.value.get(me.userId)?.full_name ?? me.fullName}</h2>
      <p>
        <a href="#/settings">Settings</a>
      </p>
      {isAdministrator(me) && <OfficeLinks />}
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="button" onClick={leave}>
        Sign out
      </button>
    </section>
  );
}
