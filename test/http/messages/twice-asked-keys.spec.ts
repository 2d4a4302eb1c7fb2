import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { override } from '../../support/override.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** Asks for each new key twice, as an adapter does whose first answer was lost: the second one says that it is there. */
const askingTwice = (contentKeys: ContentKeys): ContentKeys =>
  override(contentKeys, {
    putIfAbsent: async (id, key) => {
      await contentKeys.putIfAbsent(id, key);
      return contentKeys.putIfAbsent(id, key);
    },
  });

let annals: Annals;
let anna: Member;
beforeAll(async () => {
  annals = await Annals.on(
    await ownEngines(),
    {},
    {
      open: async (settings) => {
        const engines = await openEngines(settings);
        return { ...engines, contentKeys: askingTwice(engines.contentKeys) };
      },
    },
  );
  anna = await annals.user('anna');
});
afterAll(() => annals.stop());

it.each([
  ['plain', undefined],
  ['under a key', 'once'],
])('a send whose content key is found there already is stored once and can be read: %s', async (content, key) => {
  const options = key === undefined ? {} : { headers: { 'Idempotency-Key': key } };
  const send = async (): Promise<number> => {
    const { status, body } = await anna.api.post('/messages', { type: 'direct', to: [anna.id], content }, options);
    expect(status).toBe(200);
    return body.id;
  };
  const id = await send();
  if (key !== undefined) expect(await send()).toBe(id);
  const { body } = await anna.api.get('/messages', {
    narrow: [],
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    apply_markdown: false,
  });
  expect(body.messages.filter((one: { content: string }) => one.content === content)).toMatchObject([{ id }]);
});
