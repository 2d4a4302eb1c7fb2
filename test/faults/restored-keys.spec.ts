import { expect, it } from '@jest/globals';
import { CONTENT_KEYS, type ContentKeys } from '../../src/platform/content-keys/content-keys.js';
import { PublishedTree } from '../../src/platform/transparency/published-tree.js';
import { ownEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { Annals } from '../support/servers/annals.js';
import { run } from '../support/servers/command-line.js';

it('the key of a deleted message is destroyed again after it was restored from a backup', async () => {
  const engines = await ownEngines();
  const { environment } = engines;
  const annals = await Annals.on(engines);
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
    await annals.app.get(PublishedTree).reach(await annals.head(), 60_000);
    await keys().putIfAbsent(gone, backup);
    expect(await run(['verify', '--data-dir', annals.dataDirectory], environment)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`the key ${gone} is there, and an event tells that its content was deleted`),
    });
    const recorded = async () =>
      (await annals.events('transparency')).filter(({ type }) => type === 'DeletedKeysFound').map(({ data }) => data);
    await annals.restart();
    await eventually(async () => expect(await named()).toEqual([other]));
    await eventually(async () => expect(await recorded()).toEqual([{ keys: 1 }]));
    await annals.restart();
    expect(await recorded()).toEqual([{ keys: 1 }]);
    expect(await run(['verify', '--data-dir', annals.dataDirectory], environment)).toMatchObject({ code: 0 });

    // Documents that are lost do not tell up to where keys were destroyed.
    await keys().putIfAbsent(gone, backup);
    await annals.restart(() => annals.removeDocuments());
    await eventually(async () => expect(await recorded()).toEqual([{ keys: 1 }, { keys: 1 }]));
    expect(await named()).toEqual([other]);
  } finally {
    await annals.stop();
  }
});
