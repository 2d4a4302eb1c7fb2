import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf, type Roll } from '../../support/dice.js';

/** After every storm. */
const LATER = 4_000_000_000;

/** Has acts of readers only: client events of scheduled messages go to their user alone. */
export function scheduledMessageActs(scene: Scene): readonly Act[] {
  const text = () => `s${scene.next()}`;
  const target = (roll: Roll) =>
    oneOf([true, false], roll)
      ? { type: 'channel', to: scene.channelId(roll), topic: text() }
      : { type: 'direct', to: [oneOf(scene.readers, roll).id] };
  const schedule = (roll: Roll) =>
    oneOf(scene.readers, roll).api.post('/scheduled_messages', {
      ...target(roll),
      content: text(),
      scheduled_delivery_timestamp: LATER + roll(1000),
    });
  return [
    { name: 'a message is scheduled', run: schedule },
    {
      name: 'a scheduled message is edited, and may be deleted',
      weight: 3,
      run: async (roll) => {
        const { api } = oneOf(scene.readers, roll);
        const { scheduled_messages } = (await api.get('/scheduled_messages')).body;
        if (scheduled_messages.length === 0) return schedule(roll);
        const { scheduled_message_id: id } = oneOf<{ scheduled_message_id: number }>(scheduled_messages, roll);
        const time = { scheduled_delivery_timestamp: LATER + roll(1000) };
        await api.patch(
          `/scheduled_messages/${id}`,
          oneOf<Record<string, unknown>>([{ content: text() }, time, target(roll)], roll),
        );
        if (roll(3) === 0) await api.delete(`/scheduled_messages/${id}`);
      },
    },
  ];
}
