import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PublishedTree } from '../../../../src/platform/transparency/published-tree.js';
import {
  checkProof,
  type Proof,
  type ShownEvent,
  type Step,
} from '../../../../web/features/audit/proof/check-proof.js';
import { parseVerifierKey, type VerifierKey } from '../../../../web/features/audit/proof/note.js';
import { Annals } from '../../../support/servers/annals.js';

interface Found {
  readonly shown: ShownEvent;
  readonly proof: Proof;
}

const outcomes = (steps: readonly Step[]) => steps.map(({ holds }) => holds);
const last = (steps: readonly Step[]) => steps.at(-1);

describe('a proof that the page checks', () => {
  let annals: Annals;
  let key: VerifierKey;
  let found: readonly Found[];

  beforeAll(async () => {
    annals = await Annals.start({});
    const { api } = await annals.owner();
    for (let n = 0; n < 5; n++)
      await api.post('/messages', { type: 'channel', to: 'general', topic: 'proofs', content: `number ${n}` });
    await api.post('/users', { email: 'ann@example.com', password: 'an honest secret', full_name: 'Änne 🙂' });
    const { body } = await api.get('/audit/events', { proofs: true, limit: 1000 });
    found = body.events.map(({ proof, ...shown }: ShownEvent & { proof: Proof }) => ({ shown, proof }));
    key = await parseVerifierKey((await annals.app.get(PublishedTree).head())?.verifier ?? '');
  });
  afterAll(() => annals.stop());

  const sound = (): Found => {
    const one = found.find(({ shown }) => shown.kind === 'MessageSent');
    if (!one) throw new Error('nothing was sent');
    return one;
  };

  it('holds for every event of the log, up to the signature', async () => {
    expect(found.length).toBeGreaterThan(10);
    for (const { shown, proof } of found) {
      const hides = (proof.hidden ?? []).length > 0;
      const steps = await checkProof(shown, proof, key);
      expect(outcomes(steps)).toEqual(steps.map((_, n) => (hides && n === 1 ? null : true)));
      expect(last(steps)?.what).toContain('signed with the key of');
    }
    expect(found.some(({ proof }) => (proof.hidden ?? []).length > 0)).toBe(true);
  });

  it('says that without a key nobody knows who has signed', async () => {
    const { shown, proof } = sound();
    const steps = await checkProof(shown, proof, null);
    expect(last(steps)).toMatchObject({ holds: null, what: expect.stringContaining('the verifier key is not given') });
  });

  it.each<[string, (one: Found) => Found, string]>([
    [
      'what is shown',
      ({ shown, proof }) => ({ shown: { ...shown, data: { ...shown.data, senderId: 7 } }, proof }),
      'What is shown is not what the event says.',
    ],
    ['who is shown', ({ shown, proof }) => ({ shown: { ...shown, actor: null }, proof }), 'What is shown is not'],
    [
      'the event itself',
      ({ shown, proof }) => ({ shown, proof: { ...proof, event: { ...proof.event, version: 9 } } }),
      'This is the root of the tree',
    ],
    [
      'a hash of the path',
      ({ shown, proof }) => ({
        shown,
        proof: { ...proof, proof: proof.proof.replace(/(index \d+\n)[A-Za-z0-9+/]{3}/, '$1AAA') },
      }),
      'This is the root of the tree',
    ],
    [
      'the index',
      ({ shown, proof }) => ({ shown, proof: { ...proof, proof: proof.proof.replace(/index \d+/, 'index 0') } }),
      'This is the root of the tree',
    ],
    [
      'the size of the tree',
      ({ shown, proof }) => ({
        shown,
        proof: { ...proof, proof: proof.proof.replace(/(\/transparency)\n\d+/, '$1\n3') },
      }),
      'This is the root of the tree',
    ],
    [
      'the signature',
      ({ shown, proof }) => ({ shown, proof: { ...proof, proof: proof.proof.replace(/.{6}=\n$/, 'AAAAAA=\n') } }),
      'The checkpoint is signed with the key of',
    ],
    ['all of it', ({ shown, proof }) => ({ shown, proof: { ...proof, proof: 'a proof' } }), 'The proof is malformed.'],
  ])('fails where somebody has changed %s', async (_, change, what) => {
    const { shown, proof } = change(sound());
    const end = last(await checkProof(shown, proof, key));
    expect(end).toMatchObject({ holds: false, what: expect.stringContaining(what) });
  });

  it('fails with the key of another log', async () => {
    const other = await parseVerifierKey(
      'witness.example/w1+24b5d9fe+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY',
    ).catch((error: Error) => error.message);
    expect(other).toContain('not the verifier key of a log');
    const { shown, proof } = sound();
    expect(last(await checkProof(shown, proof, { ...key, name: 'another.example' }))?.holds).toBe(false);
  });
});
