import type { Signal } from '@preact/signals';
import type { Upload } from './uploads.js';

/** Files that are on their way to the server. */
export function Attachments({ uploads }: { readonly uploads: Signal<readonly Upload[]> }) {
  if (uploads.value.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Files on their way">
      {uploads.value.map(({ name, done, problem, stop }, index) => (
        <li key={index}>
          {name}{' '}
          {problem === '' ? (
            <progress aria-label={name} value={done} />
          ) : (
            <span class="problem" role="alert">
              {problem}
            </span>
          )}{' '}
          <button type="button" onClick={stop}>
            {problem === '' ? 'Cancel' : 'Close'}
          </button>
        </li>
      ))}
    </ul>
  );
}
