import { useSignal } from '@preact/signals';
import { download, type Parameters } from '../../platform/api.js';
import { wordsOf } from '../../platform/deed.js';

const FORMS = [
  { label: 'CSV', type: 'text/csv', name: 'events.csv' },
  { label: 'JSON lines', type: 'application/x-ndjson', name: 'events.ndjson' },
] as const;

/** Saves all events that the question finds, not only those that are shown. */
export function Export({ parameters }: { readonly parameters: Parameters }) {
  const told = useSignal('');
  const save = async ({ type, name }: (typeof FORMS)[number]) => {
    told.value = 'Asking for all of them…';
    try {
      const url = URL.createObjectURL(await download('/audit/events', parameters, type));
      Object.assign(document.createElement('a'), { href: url, download: name }).click();
      URL.revokeObjectURL(url);
      told.value = `Saved as ${name}.`;
    } catch (error) {
      told.value = wordsOf(error);
    }
  };
  return (
    <p class="export">
      All of them as{' '}
      {FORMS.map((form) => (
        <button key={form.name} type="button" class="plain" onClick={() => save(form)}>
          {form.label}
        </button>
      ))}
      <span role="status">{told}</span>
    </p>
  );
}
