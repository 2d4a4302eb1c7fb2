import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { remove, request } from '../../platform/api.js';
import { useDeed } from '../../platform/deed.js';
import { type Login, LoginList } from '../../platform/login-list.js';
import { Problem } from '../../platform/office.js';
import type { Person } from './people.js';

/** The logins of somebody else, for whom a device may be lost. */
export function PersonLogins({ person: { id, name } }: { readonly person: Person }) {
  const { problem, isBusy, run } = useDeed();
  const logins = useSignal<readonly Login[] | null>(null);
  const load = async () => {
    logins.value = (await request<{ api_keys: readonly Login[] }>('GET', `/users/${id}/api_keys`)).api_keys;
  };
  const end = async (login: Login) => {
    await remove(`/users/${id}/api_keys/${login.id}`);
    await load();
  };
  useEffect(() => void run(load), [id]);
  return (
    <section class="more" aria-label={`Logins of ${name}`}>
      <Problem>{problem}</Problem>
      {logins.value?.length === 0 && <p>There are no logins.</p>}
      {logins.value && (
        <LoginList logins={logins.value} isBusy={isBusy} onEnd={(login) => void run(() => end(login))} />
      )}
    </section>
  );
}
