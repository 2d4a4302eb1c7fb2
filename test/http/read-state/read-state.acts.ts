import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';

export function readStateActs(scene: Scene): readonly Act[] {
  return [
    {
      name: 'messages are flagged by number',
      run: async (roll) => {
        const flags = { flag: oneOf(['read', 'read', 'starred'], roll), op: oneOf(['add', 'remove'], roll) };
        const reader = scene.anybody(roll);
        const seen = await scene.newest(reader, 8);
        const messages = seen.filter(() => roll(2) === 0).map(({ id }) => id);
        await reader.api.post('/messages/flags', { messages, ...flags });
      },
    },
    {
      name: 'messages of a narrow are flagged',
      run: (roll) => {
        const flags = { flag: oneOf(['read', 'starred'], roll), op: oneOf(['add', 'remove'], roll) };
        const anchor = oneOf(['newest', 'oldest', 'first_unread'], roll);
        const range = { anchor, num_before: roll(9), num_after: roll(9) };
        const channel = [{ operator: 'channel', operand: scene.channelId(roll) }];
        const narrow = oneOf<unknown[]>([[], [['is', 'unread']], channel], roll);
        return scene.anybody(roll).api.post('/messages/flags/narrow', { ...flags, ...range, narrow });
      },
    },
    {
      name: 'a channel, or everything, is marked as read',
      run: (roll) => {
        const { api } = scene.anybody(roll);
        if (roll(3) === 0) return api.post('/mark_all_as_read');
        return api.post('/mark_stream_as_read', { stream_id: scene.channelId(roll) });
      },
    },
  ];
}
