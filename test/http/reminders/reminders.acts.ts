import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf, type Roll } from '../../support/dice.js';

/** After every storm. */
const LATER = 4_000_000_000;

/** Has acts of readers only: client events of reminders go to their user alone. */
export function reminderActs(scene: Scene): readonly Act[] {
  const remind = async (roll: Roll) => {
    const reader = oneOf(scene.readers, roll);
    const seen = await scene.newest(reader, 8);
    if (seen.length === 0) return;
    await reader.api.post('/reminders', {
      message_id: oneOf(seen, roll).id,
      scheduled_delivery_timestamp: LATER + roll(1000),
      note: oneOf(['', `n${scene.next()}`], roll),
    });
  };
  return [
    { name: 'a reminder is set', weight: 2, run: remind },
    {
      name: 'a reminder is deleted',
      run: async (roll) => {
        const { api } = oneOf(scene.readers, roll);
        const { reminders } = (await api.get('/reminders')).body;
        if (reminders.length === 0) return remind(roll);
        await api.delete(`/reminders/${oneOf<{ reminder_id: number }>(reminders, roll).reminder_id}`);
      },
    },
  ];
}
