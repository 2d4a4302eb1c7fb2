import { afterEach, expect, it } from '@jest/globals';
import { describeMongodb } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { Fleet } from '../support/servers/fleet.js';

const CONTENT = 'quokka-that-is-to-be-gone';

describeMongodb('the content of a message that is deleted after a rebuild', () => {
  let fleet: Fleet | undefined;
  afterEach(async () => {
    await fleet?.stop();
    fleet = undefined;
  });

  async function rebuiltWith(content: string): Promise<{ own: Fleet; id: number }> {
    const own = await Fleet.start({ apis: 1, workers: 1 });
    fleet = own;
    await own.api(0).caughtUp();
    const owner = await own.owner();
    const { id } = await owner.post('messages', { type: 'channel', to: 'general', topic: 't', content });
    await eventually(async () => expect(await owner.get(`messages/${id}`)).toMatchObject({ msg: '' }));
    await own.rebuild();
    // The replaced documents and the live ones hold the content.
    expect((await own.collectionsWith(content)).length).toBeGreaterThanOrEqual(2);
    return { own, id: Number(id) };
  }

  it('is in no documents when the deletion is answered', async () => {
    const { own, id } = await rebuiltWith(CONTENT);
    expect(await (await own.owner()).delete(`messages/${id}`)).toMatchObject({ result: 'success' });
    expect(await own.collectionsWith(CONTENT)).toEqual([]);
  });

  it('is in no documents when the deletion is answered during a rebuild, or soon after', async () => {
    const own = await Fleet.start({ apis: 1, workers: 1 });
    fleet = own;
    await own.api(0).caughtUp();
    const owner = await own.owner();
    const { id } = await owner.post('messages', { type: 'channel', to: 'general', topic: 't', content: CONTENT });
    await eventually(async () => expect(await owner.get(`messages/${id}`)).toMatchObject({ msg: '' }));
    const before = (await own.collectionsWith(CONTENT)).length;
    const rebuilt = own.rebuild();
    await eventually(async () => expect((await own.collectionsWith(CONTENT)).length).toBeGreaterThan(before));
    const told = await owner.delete(`messages/${id}`);
    const isGone = async () => expect(await own.collectionsWith(CONTENT)).toEqual([]);
    // WORDS_REMAIN is allowed only if the build takes too long.
    if (told.code === 'WORDS_REMAIN') await eventually(isGone);
    else expect(told).toMatchObject({ result: 'success' });
    await isGone();
    await rebuilt;
  });

  it('is in no documents even if the process of the rebuild died before it removed the replaced ones', async () => {
    const { own, id } = await rebuiltWith(CONTENT);
    await own.workers[0]?.kill();
    await own.addWorker();
    expect((await own.collectionsWith(CONTENT)).length).toBeGreaterThanOrEqual(2);
    expect(await (await own.owner()).delete(`messages/${id}`)).toMatchObject({ result: 'success' });
    expect(await own.collectionsWith(CONTENT)).toEqual([]);
  });
});
