import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Fleet } from '../support/fleet.js';
import { describeMongodb } from '../support/mongodb.js';

const WORDS = 'quokka-that-is-to-be-gone';

describeMongodb('the words of a message that is deleted after the documents were replaced', () => {
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
    // What was live, and what is.
    expect((await own.collectionsWith(content)).length).toBeGreaterThanOrEqual(2);
    return { own, id: Number(id) };
  }

  it('are in no documents when the deletion is answered', async () => {
    const { own, id } = await rebuiltWith(WORDS);
    expect(await (await own.owner()).delete(`messages/${id}`)).toMatchObject({ result: 'success' });
    expect(await own.collectionsWith(WORDS)).toEqual([]);
  });

  it('nor where they are just being replaced', async () => {
    const own = await Fleet.start({ apis: 1, workers: 1 });
    fleet = own;
    await own.api(0).caughtUp();
    const owner = await own.owner();
    const { id } = await owner.post('messages', { type: 'channel', to: 'general', topic: 't', content: WORDS });
    await eventually(async () => expect(await owner.get(`messages/${id}`)).toMatchObject({ msg: '' }));
    const before = (await own.collectionsWith(WORDS)).length;
    const rebuilt = own.rebuild();
    await eventually(async () => expect((await own.collectionsWith(WORDS)).length).toBeGreaterThan(before));
    const told = await owner.delete(`messages/${id}`);
    const isGone = async () => expect(await own.collectionsWith(WORDS)).toEqual([]);
    // A build that takes too long is told of, and nothing else is.
    if (told.code === 'WORDS_REMAIN') await eventually(isGone);
    else expect(told).toMatchObject({ result: 'success' });
    await isGone();
    await rebuilt;
  });

  it('nor where the process that has replaced them died before it had removed them', async () => {
    const { own, id } = await rebuiltWith(WORDS);
    await own.workers[0]?.kill();
    await own.addWorker();
    expect((await own.collectionsWith(WORDS)).length).toBeGreaterThanOrEqual(2);
    expect(await (await own.owner()).delete(`messages/${id}`)).toMatchObject({ result: 'success' });
    expect(await own.collectionsWith(WORDS)).toEqual([]);
  });
});
