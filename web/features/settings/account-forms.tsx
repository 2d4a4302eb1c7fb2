import { useSignal } from '@preact/signals';
import type { InputHTMLAttributes, TargetedSubmitEvent } from 'preact';
import { patch } from '../../platform/api.js';
import type { Person } from '../../platform/client-events.js';
import { labelsIn, useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';

interface AccountForm {
  readonly id: string;
  readonly title: string;
  readonly now?: (me: Person) => string;
  /** Their names are those of `PATCH /settings`. */
  readonly fields: readonly (InputHTMLAttributes<HTMLInputElement> & {
    readonly name: string;
    readonly label: string;
  })[];
  readonly button: string;
  /** Told once the server has accepted it. */
  readonly done: string;
}

const FORMS: readonly AccountForm[] = [
  {
    id: 'name',
    title: 'Name',
    now: ({ full_name }) => full_name,
    fields: [{ name: 'full_name', label: 'New name', type: 'text', autocomplete: 'name' }],
    button: 'Change the name',
    done: 'It is changed.',
  },
  {
    id: 'address',
    title: 'Mail address',
    now: ({ delivery_email }) => delivery_email ?? '',
    fields: [{ name: 'email', label: 'New mail address', type: 'email', autocomplete: 'email' }],
    button: 'Change the address',
    done: 'Open the link in the mail to the new address: until then, the old one counts.',
  },
  {
    id: 'password',
    title: 'Password',
    fields: [
      { name: 'old_password', label: 'Password until now', type: 'password', autocomplete: 'current-password' },
      { name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password' },
    ],
    button: 'Change the password',
    done: 'It is changed. All other logins have ended.',
  },
];

export const AccountForms = ({ me }: { readonly me: Person }) => (
  <>
    {FORMS.map((form) => (
      <OneForm key={form.id} form={form} me={me} />
    ))}
  </>
);

interface OneFormProps {
  readonly form: AccountForm;
  readonly me: Person;
}

function OneForm({ form: { id, title, now, fields, button, done }, me }: OneFormProps) {
  const { problem, isBusy, run } = useDeed();
  const told = useSignal('');

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const changes = Object.fromEntries(new FormData(form));
    told.value = '';
    if (!(await run(async () => void (await patch('/settings', changes)), labelsIn(form)))) return;
    told.value = done;
    form.reset();
  }

  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {now && <p class="hint">Now: {now(me)}</p>}
      <form onSubmit={submit}>
        {fields.map(({ label, ...field }) => (
          <label key={field.name}>
            {label}
            <input {...field} required />
          </label>
        ))}
        <Problem>{problem}</Problem>
        <button type="submit" aria-disabled={isBusy}>
          {button}
        </button>
        <p role="status">{told}</p>
      </form>
    </section>
  );
}
