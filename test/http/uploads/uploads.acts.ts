import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf } from '../../support/dice.js';
import { fileOf, upload } from '../../support/requests/uploads.js';

export function uploadActs(scene: Scene): readonly Act[] {
  const { annals, links } = scene;
  return [
    {
      // The message links to the new file and to any file uploaded so far.
      name: 'a file is uploaded and linked to',
      weight: 2,
      run: async (roll) => {
        const sender = scene.anybody(roll);
        const number = scene.next();
        const file = await upload(annals.url, sender, fileOf(`file ${number}`, `${number}.txt`));
        if (file.status === 200) links.push(`[f](${file.body.url})`);
        const content = `${oneOf(links, roll)} ${links.at(-1)}`;
        await sender.api.post('/messages', { type: 'channel', to: scene.channelId(roll), topic: 't', content });
      },
    },
    {
      name: 'a message links to another file, and a file may be deleted',
      weight: 3,
      run: async (roll) => {
        const sender = scene.anybody(roll);
        const own = (await scene.newest(sender, 5)).filter(({ sender_id }) => sender_id === sender.id);
        const content = `${links.length > 0 ? oneOf(links, roll) : 'm'} ${scene.next()}`;
        if (own.length > 0) await sender.api.patch(`/messages/${oneOf(own, roll).id}`, { content });
        const { attachments = [] } = (await sender.api.get('/attachments')).body;
        if (attachments.length < 3) return;
        await sender.api.delete(`/attachments/${oneOf<{ id: number }>(attachments, roll).id}`);
      },
    },
  ];
}
