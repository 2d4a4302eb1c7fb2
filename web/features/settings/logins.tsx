import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get, remove } from '../../platform/api.js';
import { useDeed } from '../../platform/deed.js';
import { type Login, LoginList } from '../../platform/login-list.js';
import { Problem } from '../../platform/office.js';
import { endSession, signOut } from '../../platform/session.js';

const askLogins = async (): Promise<readonly Login[]> => (await get('/users/me/api_keys')).api_keys;

const end = async ({ id }: Login): Promise<void> => void (await remove(`/users/me/api_keys/${id}`));

/** One's keys: each is a login of a page or of another client. */
export function Logins() {
  const { problem, isBusy, run } = useDeed();
  const logins = useSignal<readonly Login[]>([]);

  async function load(): Promise<void> {
    logins.value = await askLogins();
  }

  /** This one last: with it, nothing more can be ended. */
  async function endAll(): Promise<void> {
    for (const login of await askLogins()) if (!login.is_current) await end(login);
    await signOut();
  }

  async function endOne(login: Login): Promise<void> {
    await end(login);
    await (login.is_current ? endSession() : load());
  }

  useEffect(() => void run(load), []);
  return (
    <section aria-labelledby="logins">
      <h2 id="logins">Logins</h2>
      <Problem>{problem}</Problem>
      <LoginList logins={logins.value} isBusy={isBusy} onEnd={(login) => void run(() => endOne(login))} />
      <button type="button" aria-disabled={isBusy} onClick={() => void run(endAll)}>
        End all logins
      </button>
    </section>
  );
}
