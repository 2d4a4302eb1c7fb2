import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';
import type { Client } from '../../support/requests/http.js';

/** Has acts of readers only: client events of snippets go to their user alone. */
export function savedSnippetActs(scene: Scene): readonly Act[] {
  const text = () => ({ title: `s${scene.next()}`, content: `s${scene.next()}` });
  const save = (api: Client) => api.post('/saved_snippets', text());
  return [
    { name: 'a snippet is saved', run: (roll) => save(oneOf(scene.readers, roll).api) },
    {
      name: 'a snippet is edited, and may be deleted',
      weight: 3,
      run: async (roll) => {
        const { api } = oneOf(scene.readers, roll);
        const { saved_snippets } = (await api.get('/saved_snippets')).body;
        if (saved_snippets.length === 0) return save(api);
        const { id } = oneOf<{ id: number }>(saved_snippets, roll);
        const { title, content } = text();
        await api.patch(`/saved_snippets/${id}`, oneOf([{ title }, { content }, { title, content }], roll));
        if (roll(3) === 0) await api.delete(`/saved_snippets/${id}`);
      },
    },
  ];
}
