import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';

export function sendActs(scene: Scene): readonly Act[] {
  return [
    {
      name: 'a message to a channel is sent',
      weight: 4,
      run: (roll) => {
        const message = { type: 'channel', to: scene.channelId(roll), topic: 't', content: scene.words(roll) };
        return scene.anybody(roll).api.post('/messages', message);
      },
    },
    {
      name: 'a direct message is sent',
      run: (roll) => {
        const to = [scene.anybody(roll).id];
        return scene.anybody(roll).api.post('/messages', { type: 'direct', to, content: scene.words(roll) });
      },
    },
  ];
}

/** Acts that change sent messages. */
export function messageActs(scene: Scene): readonly Act[] {
  const { owner } = scene;
  return [
    {
      name: 'a message is edited, and a reaction comes or goes',
      run: async (roll) => {
        const reader = scene.anybody(roll);
        const seen = await scene.newest(reader, 8);
        if (seen.length === 0) return;
        const { id } = oneOf(seen, roll);
        await reader.api.patch(`/messages/${id}`, { content: scene.words(roll) });
        const emoji_name = oneOf(['tada', '+1', 'octopus'], roll);
        await reader.api[oneOf(['post', 'post', 'delete'] as const, roll)](`/messages/${id}/reactions`, { emoji_name });
      },
    },
    {
      // The message is deleted at once: a reader who leaves the channel first keeps a star, and gets no event of the deletion.
      name: 'a message of a topic of its own is sent and deleted',
      run: async (roll) => {
        const sender = scene.anybody(roll);
        const channelId = scene.channelId(roll);
        const topic = `gone ${scene.next()}`;
        const { body } = await sender.api.post('/messages', { type: 'channel', to: channelId, topic, content: topic });
        if (!body.id) return;
        if (roll(3) === 0) await owner.api.post(`/streams/${channelId}/delete_topic`, { topic_name: topic });
        await sender.api.delete(`/messages/${body.id}`);
      },
    },
    {
      name: 'a direct message is sent and deleted',
      run: async (roll) => {
        const { api } = scene.anybody(roll);
        const to = [scene.anybody(roll).id];
        const { body } = await api.post('/messages', { type: 'direct', to, content: `m${scene.next()}` });
        if (body.id) await api.delete(`/messages/${body.id}`);
      },
    },
    {
      name: 'messages are moved',
      weight: 2,
      run: async (roll) => {
        const seen = (await scene.newest(scene.anybody(roll), 20)).filter(({ type }) => type === 'stream');
        if (seen.length === 0) return;
        const { id } = oneOf(seen, roll);
        const propagate_mode = oneOf(['change_one', 'change_later', 'change_all'], roll);
        const topic = oneOf(['t', 'T', 'u', '', '✔ t'], roll);
        const to = roll(2) === 0 ? { topic } : { stream_id: scene.channelId(roll) };
        await owner.api.patch(`/messages/${id}`, { ...to, propagate_mode, send_notification_to_old_thread: true });
      },
    },
  ];
}
