import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../src/app/roles/read-side.js';
import { Leases } from '../../src/platform/cluster/leases.js';
import { DOCUMENT_STORE, type DocumentStore } from '../../src/platform/documents/document-store.js';
import { describeMongodb } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { Annals, type Member } from '../support/servers/annals.js';

describeMongodb('a process that answers clients and works on documents', () => {
  let annals: Annals;
  let owner: Member;
  let readSide: ReadSide;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    readSide = annals.app.get<ReadSide>(READ_SIDE);
  });
  afterAll(() => annals.stop());

  /** Expects that the process has looked up the live documents anew. So it answers even when its old knowledge expires. */
  async function answersFromWhatIsLiveNow(): Promise<void> {
    const now = performance.now();
    const age = () => readSide.documents().answeredMsAgo;
    await eventually(() => expect(age()).toBeLessThan(performance.now() - now));
    const message = { type: 'channel', to: 'general', topic: 't', content: 'words' };
    const { body } = await owner.api.post('/messages', message);
    await eventually(async () => expect((await owner.api.get(`/messages/${body.id}`)).status).toBe(200));
  }

  it('goes on answering after it lost its leases and took them again', async () => {
    const store = annals.app.get<DocumentStore>(DOCUMENT_STORE);
    const leases = await Leases.open(store, { id: 'thief', isGone: () => true });
    const token = async () => (await leases.look(['messages'])).get('messages')?.token ?? 0;
    const stolen = await leases.acquire('messages', (await leases.look(['messages'])).get('messages'));
    await eventually(async () => expect(await token()).toBeGreaterThan(stolen?.token ?? Number.NaN));
    await answersFromWhatIsLiveNow();
  });

  it('goes on answering after a requested rebuild', async () => {
    await readSide.rebuild(['messages', 'personal'], () => {});
    await answersFromWhatIsLiveNow();
  });
});
