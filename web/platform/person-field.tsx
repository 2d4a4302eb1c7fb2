import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { people } from './store.js';

/** Names that are offered at a time. */
const MOST = 8;

interface PersonFieldProps {
  readonly label: string;
  /** People who are not offered. */
  readonly except: readonly number[];
  readonly onChoose: (userId: number) => void;
}

/** Finds a person by a part of the name, and offers the names as buttons. */
export function PersonField({ label, except, onChoose }: PersonFieldProps) {
  const typed = useSignal('');
  const id = useId();
  const words = typed.value.trim().toLowerCase();
  const found =
    words === ''
      ? []
      : [...people.value.values()]
          .filter((one) => one.is_active !== false && !except.includes(one.user_id))
          .filter((one) => one.full_name.toLowerCase().includes(words))
          .slice(0, MOST);
  return (
    <div class="person-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <p>
        {found.map(({ user_id, full_name }) => (
          <button
            key={user_id}
            type="button"
            class="quiet"
            onClick={() => {
              typed.value = '';
              onChoose(user_id);
            }}
          >
            {full_name}
          </button>
        ))}
      </p>
    </div>
  );
}
