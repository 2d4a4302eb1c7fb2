import { expect, it } from '@jest/globals';
import { CONTENT_KEYS, type ContentKeys } from '../../src/platform/content-keys/content-keys.js';
import { eventually } from '../support/eventually.js';
import { Annals } from '../support/servers/annals.js';

it('the key of a deleted message is destroyed again after it was restored from a backup', async () => {
  const annals = await Annals.start();
  try {
    const owner = await annals.owner();
    const message = { type: 'channel', to: 'general', topic: 'keys', content: 'words' };
    const { id } = (await owner.api.post('/messages', message)).body;
    const kept = (await owner.api.post('/messages', message)).body.id;
    const [gone, other] = (await annals.events('messages'))
      .filter(({ revision }) => [id, kept].includes(revision + 1))
      .map((event) => event.id);
    if (gone === undefined || other === undefined) throw new Error('the messages are not in the log');
    const keys = () => annals.app.get<ContentKeys>(CONTENT_KEYS);
    const named = async () => [...(await keys().getMany([gone, other])).keys()];
    const backup = (await keys().getMany([gone])).get(gone);
    if (!backup) throw new Error('the message has no key');

    expect((await owner.api.delete(`/messages/${id}`)).status).toBe(200);
    await eventually(async () => expect(await named()).toEqual([other]));
    await keys().putIfAbsent(gone, backup);
    await annals.restart();
    await eventually(async () => expect(await named()).toEqual([other]));
  } finally {
    await annals.stop();
  }
});
