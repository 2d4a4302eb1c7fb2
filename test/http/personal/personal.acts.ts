import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';

export function personalActs(scene: Scene): readonly Act[] {
  return [
    {
      name: 'a topic is followed or muted',
      run: (roll) => {
        const topic = oneOf(['t', 'T', 'u', ''], roll);
        const policy = { stream_id: scene.channelId(roll), topic, visibility_policy: roll(4) };
        return scene.anybody(roll).api.post('/user_topics', policy);
      },
    },
    {
      name: 'a user is muted or unmuted',
      run: (roll) => {
        const { id } = oneOf(scene.others, roll);
        return scene.anybody(roll).api[oneOf(['post', 'delete'] as const, roll)](`/users/me/muted_users/${id}`);
      },
    },
    {
      name: 'alert words come or go',
      run: (roll) => {
        const alert_words = [`w${roll(9)}`, `W${roll(9)}`];
        const { api } = scene.anybody(roll);
        return api[oneOf(['post', 'delete'] as const, roll)]('/users/me/alert_words', { alert_words });
      },
    },
  ];
}
