import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';

export function organizationActs(scene: Scene): readonly Act[] {
  const { owner } = scene;
  return [
    {
      name: 'settings of the organization change',
      run: (roll) => {
        const direct_members = [scene.anybody(roll).id, scene.anybody(roll).id];
        const people = { direct_members, direct_subgroups: [roll(7) + 2] };
        return owner.api.patch('/realm', { digest_weekday: roll(7), can_resolve_topics_group: { new: people } });
      },
    },
    {
      name: 'a profile field is made, and may be deleted',
      run: async (roll) => {
        const { body } = await owner.api.post('/realm/profile_fields', { name: `f ${scene.next()}`, field_type: 1 });
        if (roll(2) === 0) await owner.api.delete(`/realm/profile_fields/${body.id}`);
      },
    },
    {
      name: 'a channel becomes a default channel, or none',
      run: (roll) =>
        owner.api[oneOf(['post', 'delete'] as const, roll)]('/default_streams', { stream_id: scene.channelId(roll) }),
    },
  ];
}
