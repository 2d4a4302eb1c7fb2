import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { labelsIn, useDeed } from './deed.js';
import { Problem } from './office.js';

/** What has a name and a description: a channel, a group. */
interface Described {
  readonly name: string;
  readonly description: string;
}

interface AddDescribedProps {
  /** `channel`, `group` */
  readonly kind: string;
  readonly descriptionLabel: string;
  readonly create: (given: Described, form: FormData) => Promise<void>;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** A form that makes a new one. */
export function AddDescribed({ kind, descriptionLabel, create, children }: AddDescribedProps) {
  const { problem, isBusy, run } = useDeed();

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    if (await run(() => create(describedIn(given), given), labelsIn(form))) form.reset();
  }

  return (
    <section aria-labelledby={`new-${kind}`}>
      <h2 id={`new-${kind}`}>A new {kind}</h2>
      <form onSubmit={submit}>
        <label for={`${kind}-name`}>Name of the new {kind}</label>
        <input id={`${kind}-name`} name="name" required autocomplete="off" />
        <label for={`${kind}-description`}>{descriptionLabel}</label>
        <input id={`${kind}-description`} name="description" autocomplete="off" />
        {children}
        <Problem>{problem}</Problem>
        <button type="submit" aria-disabled={isBusy}>
          Make it
        </button>
      </form>
    </section>
  );
}

interface ChangeDescribedProps extends Described {
  readonly id: number;
  /** @param changes only what is another one: somebody may be allowed to change one of them alone */
  readonly save: (changes: Partial<Described>, form: FormData) => Promise<void>;
  /** What takes it out of use. */
  readonly end: { readonly label: string; readonly run: () => Promise<void> };
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** A form that changes one that there is. */
export function ChangeDescribed({ id, name, description, save, end, children }: ChangeDescribedProps) {
  const { problem, isBusy, run } = useDeed();

  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const given = describedIn(fields);
    const changes = {
      ...(given.name !== name && { name: given.name }),
      ...(given.description !== description && { description: given.description }),
    };
    void run(() => save(changes, fields), labelsIn(form));
  }

  return (
    <form onSubmit={submit}>
      <label for={`name-${id}`}>Name</label>
      <input id={`name-${id}`} name="name" defaultValue={name} required autocomplete="off" />
      <label for={`description-${id}`}>Description</label>
      <input id={`description-${id}`} name="description" defaultValue={description} autocomplete="off" />
      {children}
      <Problem>{problem}</Problem>
      <button type="submit" aria-disabled={isBusy}>
        Save
      </button>{' '}
      <button type="button" aria-disabled={isBusy} onClick={() => void run(end.run)}>
        {end.label}
        <span class="unseen">{` ${name}`}</span>
      </button>
    </form>
  );
}

const describedIn = (form: FormData): Described => ({
  name: String(form.get('name')),
  description: String(form.get('description')),
});
