import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';
import type { Client } from '../../support/requests/http.js';

/** Has acts of readers only: client events of drafts go to their user alone. */
export function draftActs(scene: Scene): readonly Act[] {
  const draft = () => ({ type: '', to: [], topic: '', content: `d${scene.next()}` });
  // Is refused while the user has drafts synchronization disabled.
  const write = (api: Client, count: number) => api.post('/drafts', { drafts: Array.from({ length: count }, draft) });
  return [
    {
      name: 'drafts are written',
      run: async (roll) => {
        const { api } = oneOf(scene.readers, roll);
        await write(api, 1 + roll(2));
      },
    },
    {
      // Never for readers: their queues have no `user_settings`, and would not learn that the drafts are deleted.
      name: 'drafts are no longer kept, or kept again, and written',
      run: async (roll) => {
        const { api } = oneOf(scene.others, roll);
        await api.patch('/settings', { enable_drafts_synchronization: roll(3) > 0 });
        await write(api, 1 + roll(2));
      },
    },
    {
      name: 'a draft is edited, and may be deleted',
      weight: 3,
      run: async (roll) => {
        const { api } = oneOf(scene.readers, roll);
        const { drafts } = (await api.get('/drafts')).body;
        if (drafts.length === 0) return write(api, 1);
        const { id } = oneOf<{ id: number }>(drafts, roll);
        const to = { type: 'private', to: [scene.anybody(roll).id], topic: '' };
        await api.patch(`/drafts/${id}`, { draft: { ...to, content: `d${scene.next()}` } });
        if (roll(3) === 0) await api.delete(`/drafts/${id}`);
      },
    },
  ];
}
