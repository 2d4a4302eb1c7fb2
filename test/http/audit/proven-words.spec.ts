import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAnswer, checkpointIn, verifierKey } from '../../../bin/verify.mjs';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { appendReleasedLog } from '../../support/events/released-log.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

interface Entry {
  readonly kind: string;
  readonly data: { readonly content?: { readonly text: string } | null };
  readonly proof: { readonly content_key?: string; readonly event: { readonly data: object } };
}

/** Reading words is on record. */
const RECORDING = { ANNALS_ACCESS_DAYS: '30' };

async function checkerOf(annals: Annals): Promise<(answer: unknown) => ReturnType<typeof checkAnswer>> {
  const key = verifierKey((await annals.app.get(PublishedTree).head())?.verifier ?? '');
  return (answer) => checkAnswer(answer, (note) => checkpointIn(note, key, { keys: [], quorum: 0 }));
}

describe('words with proofs', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let message: number;
  let check: (answer: unknown) => ReturnType<typeof checkAnswer>;

  beforeAll(async () => {
    annals = await Annals.start(RECORDING);
    owner = await annals.owner();
    iris = await annals.user('iris');
    message = await sent('the first words');
    await owner.api.patch(`/messages/${message}`, { content: 'the second words' });
    check = await checkerOf(annals);
  });
  afterAll(() => annals.stop());

  const sent = async (content: string): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'plans', content })).body.id;

  async function asked(question: Params, by = owner): Promise<readonly Entry[]> {
    const { body } = await by.api.get('/audit/events', { proofs: true, words: true, order: 'oldest', ...question });
    return body.events;
  }

  it('are proved: who said them, and when, each revision by itself', async () => {
    const events = await asked({ message_id: message });
    const { proved, faults, unproved } = check(events);
    expect(faults).toEqual([]);
    expect(unproved).not.toContain('data.content');
    expect(proved).toEqual([
      expect.stringMatching(/^MessageSent .*\n {2}20\d\d-.*Z, by account 1: "the first words"$/),
      expect.stringMatching(/^MessageEdited .*\n {2}20\d\d-.*Z, by account 1: "the second words"$/),
    ]);
  });

  it('cannot be altered, nor opened with another key', async () => {
    const [first, second] = await asked({ message_id: message });
    if (!first?.data.content || !second) throw new Error('there are no words');
    const key = (content_key: string | undefined) => ({ ...first, proof: { ...first.proof, content_key } });
    for (const [altered, fault] of [
      [
        { ...first, data: { ...first.data, content: { ...first.data.content, text: 'no words' } } },
        /^data.content of Mess/,
      ],
      [key(second.proof.content_key), /not the one that the event names$/],
      [key(Buffer.from(newContentKey()).toString('base64')), /not the one that the event names$/],
      [key('AAAA'), /is not base64 of 32 bytes$/],
    ] as const)
      expect(check([altered]).faults).toEqual([expect.stringMatching(fault)]);
    expect(check([key(undefined)])).toMatchObject({ faults: [], unproved: expect.arrayContaining(['data.content']) });
  });

  it('are opened for those who may read them alone', async () => {
    await iris.api.post('/drafts', {
      drafts: [{ type: 'stream', to: [1], topic: 't', content: 'of iris', timestamp: 1 }],
    });
    const keysOf = (events: readonly Entry[]) => events.map(({ proof }) => proof.content_key !== undefined);
    expect(keysOf(await asked({ kind: ['DraftCreated'] }))).toEqual([false]);
    expect(keysOf(await asked({ message_id: message, words: false }))).toEqual([false, false]);
    const { body } = await owner.api.get('/audit/proof', { message_id: message });
    expect(JSON.stringify(body)).not.toContain('content_key');
  });

  it('are gone with their message, and what is left is proved', async () => {
    const gone = await sent('gone soon');
    await owner.api.delete(`/messages/${gone}`);
    const events = await asked({ message_id: gone });
    expect(JSON.stringify(events)).not.toMatch(/content_key|gone soon/);
    expect(check(events)).toMatchObject({
      proved: [/MessageSent/, /MessageDeleted/].map((kind) => expect.stringMatching(kind)),
      faults: [],
    });
  });
});

it('words of events that are not committed to them are shown, and said to be unproved', async () => {
  const engines = await ownEngines();
  const accepted = await appendReleasedLog(engines.settings, '0.6.0');
  const annals = await Annals.on(engines, { ...RECORDING, ...accepted });
  try {
    const owner = await annals.user('another-owner', 100);
    const { body } = await owner.api.get('/audit/events', {
      proofs: true,
      words: true,
      kind: ['MessageSent'],
      limit: 2,
    });
    const { proved, faults, unproved } = (await checkerOf(annals))(body);
    expect(faults).toEqual([]);
    expect(proved[0]).toMatch(/It is not committed to its words: nothing proves them$/);
    expect(unproved).toContain('data.content');
  } finally {
    await annals.stop();
  }
});
