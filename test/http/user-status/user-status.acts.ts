import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';

/** Statuses of readers, of which everybody is told. */
export function userStatusActs(scene: Scene): readonly Act[] {
  return [
    {
      name: 'a status is changed',
      weight: 2,
      run: (roll) => {
        const status_text = oneOf(['', `s${scene.next()}`], roll);
        const emoji_name = oneOf(['', 'car', 'tada'], roll);
        const status = oneOf([{ status_text }, { emoji_name }, { status_text, emoji_name }], roll);
        return oneOf(scene.readers, roll).api.post('/users/me/status', status);
      },
    },
    {
      name: 'somebody is away or not',
      run: (roll) => oneOf(scene.readers, roll).api.post('/users/me/status', { away: roll(2) === 0 }),
    },
  ];
}
