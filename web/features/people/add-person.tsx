import type { TargetedSubmitEvent } from 'preact';
import { labelsIn, useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { createPerson } from './people.js';

export function AddPerson() {
  const { problem, isBusy, run } = useDeed();

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const text = (name: string): string => String(fields.get(name));
    const account = { full_name: text('full_name'), email: text('email'), password: text('password') };
    if (await run(() => createPerson(account), labelsIn(form))) form.reset();
  }

  return (
    <section aria-labelledby="add">
      <h2 id="add">Add somebody</h2>
      <form onSubmit={submit}>
        <label for="full_name">Name</label>
        <input id="full_name" name="full_name" autocomplete="off" required />
        <label for="email">Mail address</label>
        <input id="email" name="email" type="email" autocomplete="off" required />
        <label for="password">First password</label>
        <input id="password" name="password" type="password" autocomplete="new-password" required />
        <Problem>{problem}</Problem>
        <button type="submit" aria-disabled={isBusy}>
          Add
        </button>
      </form>
    </section>
  );
}
