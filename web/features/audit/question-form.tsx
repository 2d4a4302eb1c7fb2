import type { TargetedSubmitEvent } from 'preact';
import { placeOf, QUESTIONS } from './asked.js';

/** What is asked goes into the address, so it can be kept, sent and gone back to. */
export function QuestionForm({ asked }: { readonly asked: Readonly<Record<string, string>> }) {
  const ask = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    location.hash = placeOf(Object.fromEntries(QUESTIONS.map(({ name }) => [name, String(fields.get(name)).trim()])));
  };
  return (
    <form class="questions" onSubmit={ask}>
      {QUESTIONS.map(({ name, label }) => (
        <div key={name}>
          <label for={name}>{label}</label>
          <input id={name} name={name} defaultValue={asked[name]} />
        </div>
      ))}
      <p>
        <button type="submit">Find</button> <a href="#/audit">Everything</a>
      </p>
    </form>
  );
}
