import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readCredentials } from '../../src/app/config/owner-credentials.js';
import { readConfig } from '../../src/app/config/read-config.js';
import { type RunningServer, startServer } from '../../src/app/server.js';
import { messageStream } from '../../src/events/messages/message.events.js';
import { type ContentKeys, ContentKeysUnavailable } from '../../src/platform/content-keys/content-keys.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/log/event-store.js';
import { withOwnEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { override } from '../support/override.js';

type Ask = (method: string, path: string, parameters?: Record<string, string>) => Promise<Record<string, unknown>>;

const TOLD = { result: 'error', code: 'WORDS_REMAIN' };

it('a deletion is answered with WORDS_REMAIN, never as not stored, if keys cannot be destroyed', async () => {
  await withOwnEngines(async ({ environment, dataDirectory }) => {
    const settings = { ANNALS_LOG_LEVEL: 'fatal', ANNALS_PORT: '0' };
    const config = readConfig('start', {}, { ...settings, ...environment });
    let isStuck = false;
    const server = await startServer(config, {
      open: async (engines) => {
        const opened = await openEngines(engines);
        return { ...opened, contentKeys: stuckKeys(opened.contentKeys, () => isStuck) };
      },
    });
    try {
      const ask = await asker(server, dataDirectory);
      const send = async (topic: string) =>
        Number((await ask('POST', 'messages', { type: 'channel', to: '"general"', topic, content: 'words' })).id);
      await eventually(async () => expect(await send('before')).toBeGreaterThan(0));
      const [alone, one, other] = [await send('alone'), await send('topic'), await send('topic')];
      const draft = { type: 'stream', to: [1], topic: 'd', content: 'words', timestamp: 1 };
      const { ids } = await ask('POST', 'drafts', { drafts: JSON.stringify([draft]) });
      const [draftId] = ids as number[];

      isStuck = true;
      expect(await ask('DELETE', `messages/${alone}`)).toMatchObject(TOLD);
      expect(await ask('POST', 'streams/1/delete_topic', { topic_name: 'topic' })).toMatchObject(TOLD);
      expect(await ask('DELETE', `drafts/${draftId}`)).toMatchObject(TOLD);

      for (const id of [alone, one, other]) {
        expect(await typesIn(server, id)).toEqual(['MessageDeleted']);
        await eventually(async () => expect(await ask('GET', `messages/${id}`)).toMatchObject({ result: 'error' }));
      }
      await eventually(async () => expect(await ask('GET', 'drafts')).toMatchObject({ count: 0 }));
      isStuck = false;
      expect(await ask('DELETE', `messages/${await send('after')}`)).toMatchObject({ result: 'success' });
    } finally {
      isStuck = false;
      await server.close();
    }
  });
});

/** Keys that cannot be destroyed while `isStuck` answers true. */
function stuckKeys(keys: ContentKeys, isStuck: () => boolean): ContentKeys {
  const destroy: ContentKeys['destroy'] = async (ids) => {
    if (isStuck() && ids.length > 0) throw new ContentKeysUnavailable('keys stay');
    return keys.destroy(ids);
  };
  return override(keys, { destroy });
}

async function asker({ url }: RunningServer, dataDirectory: string): Promise<Ask> {
  const owner = await readCredentials(join(dataDirectory, 'owner.zuliprc'));
  const headers = { authorization: `Basic ${btoa(`${owner?.email}:${owner?.key}`)}` };
  return async (method, path, parameters) => {
    const body = parameters ? new URLSearchParams(parameters) : undefined;
    const answer = await fetch(`${url}/api/v1/${path}`, { method, headers, ...(body ? { body } : {}) });
    return (await answer.json()) as Record<string, unknown>;
  };
}

async function typesIn({ app }: RunningServer, messageId: number): Promise<string[]> {
  const events = await app.get<EventStore>(EVENT_STORE).readStream(messageStream(messageId));
  return events.map(({ type }) => type);
}
