import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';
import type { Client } from '../../support/requests/http.js';

/** Has acts of readers only: client events of views go to their user alone. */
export function navigationViewActs(scene: Scene): readonly Act[] {
  const add = (api: Client) => {
    const name = `v${scene.next()}`;
    return api.post('/navigation_views', { fragment: `narrow/topic/${name}`, is_pinned: true, name });
  };
  return [
    { name: 'a view is added', run: (roll) => add(oneOf(scene.readers, roll).api) },
    {
      name: 'a view is edited, and may be removed',
      weight: 2,
      run: async (roll) => {
        const { api } = oneOf(scene.readers, roll);
        const { navigation_views } = (await api.get('/navigation_views')).body;
        if (navigation_views.length === 0) return add(api);
        const { fragment } = oneOf<{ fragment: string }>(navigation_views, roll);
        const name = `v${scene.next()}`;
        await api.patch(`/navigation_views/${fragment}`, oneOf([{ name }, { is_pinned: roll(2) === 0 }], roll));
        if (roll(3) === 0) await api.delete(`/navigation_views/${encodeURIComponent(fragment)}`);
      },
    },
  ];
}
