import type { Signal } from '@preact/signals';
import { longTime } from './clock.js';

/** An API key, as the lists of keys have it. Times are in seconds since 1970. */
export interface Login {
  readonly id: string;
  readonly client: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly is_current: boolean;
}

interface LoginListProps {
  readonly logins: readonly Login[];
  readonly isBusy: Signal<boolean>;
  readonly onEnd: (login: Login) => void;
}

/** Keys, each of which is a login of a page or of another client, with what ends each. */
export const LoginList = ({ logins, isBusy, onEnd }: LoginListProps) => (
  <ul class="rows">
    {logins.map((login) => (
      <li key={login.id}>
        <div class="who">
          <strong>
            {login.client}
            {login.is_current && ' (this one)'}
          </strong>
          <span class="hint">{timesOf(login)}</span>
        </div>
        <button type="button" aria-disabled={isBusy} onClick={() => onEnd(login)}>
          End
          <span class="unseen">{` ${login.client}, ${timesOf(login)}`}</span>
        </button>
      </li>
    ))}
  </ul>
);

const seconds = (time: number): string => longTime(new Date(time * 1000));

const timesOf = ({ created_at: begun, last_used_at: used }: Login): string =>
  `since ${seconds(begun)}${used === null ? '' : `, used ${seconds(used)}`}`;
