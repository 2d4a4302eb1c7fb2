import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { WebServers } from '../support/outside/outgoing/web-servers.js';
import type { Api } from '../support/requests/api.js';
import { killedAt } from '../support/servers/killed-at.js';

const SETTINGS = { ANNALS_OUTGOING_PRIVATE_NETWORKS: '127.0.0.1' };
const REFUSED = "Failure! The bot's service did not handle the message: the answer has the status 500.";
const NOTICE = expect.stringMatching(/^\[A message\]\(.*\) called your bot .* the answer has the status 500\.$/);

describe('a call of a bot whose server is killed', () => {
  let web: WebServers;
  /** Texts of the messages that the service was called with. */
  let calls: string[] = [];
  let answer: (response: ServerResponse) => unknown = () => {};
  beforeAll(async () => {
    web = await WebServers.start(['127.0.0.1']);
    web.handlers.set('/hook', async (request, response) => {
      calls.push(JSON.parse(await text(request)).data);
      await answer(response);
    });
  });
  beforeEach(() => {
    calls = [];
  });
  afterAll(() => web.stop());

  const replying = (response: ServerResponse) => response.end(JSON.stringify({ content: 'a reply' }));
  const refusing = (response: ServerResponse) => response.writeHead(500).end();
  const silent = () => {};
  const broken = (response: ServerResponse) => response.destroy();

  async function newBot(api: Api): Promise<number> {
    const { user_id } = await api.post('bots', {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: JSON.stringify(`http://127.0.0.1:${web.port}/hook`),
    });
    return Number(user_id);
  }
  const call = (api: Api, bot: number, content: string) =>
    api.post('messages', { type: 'channel', to: 'general', topic: 'calls', content: `@**Hook|${bot}** ${content}` });
  async function saidBy(api: Api, bot: number): Promise<readonly string[]> {
    const narrow = [{ operator: 'sender', operand: bot }];
    const { messages } = await api.get('messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      apply_markdown: false,
      narrow,
    });
    return (messages as { content: string }[]).map(({ content }) => content);
  }
  /** Has the bot called once more. Calls of one bot begin in their order, so all earlier ones have had their turn. */
  async function expectSaid(api: Api, bot: number, said: readonly unknown[]): Promise<void> {
    await eventually(async () => expect(await saidBy(api, bot)).toEqual(said));
    answer = (response) => response.end(JSON.stringify({ content: 'the last reply' }));
    await call(api, bot, 'once more');
    await eventually(async () => expect(await saidBy(api, bot)).toEqual([...said, 'the last reply']));
  }

  it.each([
    ['before the call is queued', 'appended:messages'],
    ['before the checkpoint is stored', 'uncommitted:webhooks'],
    ['after the checkpoint is stored', 'committed:webhooks'],
  ])('%s is made, and replied to once', async (_, point) => {
    answer = replying;
    await killedAt(
      point,
      {
        prepare: ({ api }) => newBot(api),
        work: ({ api }, bot) => call(api, bot, 'hello').catch(() => {}),
        check: ({ api }, bot) => expectSaid(api, bot, ['a reply']),
      },
      SETTINGS,
    );
  });

  /** The service answers as `first`, and the server is killed at `point`. Then it answers as `second`, if it is called again. */
  const killedInAnswer = (
    point: string,
    first: (response: ServerResponse) => unknown,
    second: (response: ServerResponse) => unknown,
    said: readonly unknown[],
  ): Promise<void> =>
    killedAt(
      point,
      {
        prepare: async ({ api, dataDirectory }) => {
          answer = async (response) => {
            await writeFile(join(dataDirectory, 'armed'), '');
            answer = second;
            first(response);
          };
          const bot = await newBot(api);
          await call(api, bot, 'hello').catch(() => {});
          return bot;
        },
        work: async () => {},
        check: ({ api }, bot) => expectSaid(api, bot, said),
      },
      SETTINGS,
    );

  it.each([
    ['before the reply has a key', 'key-stored'],
    ['after the reply, before that is noted', 'appended:messages'],
  ])('%s is replied to once', async (_, point) => {
    await killedInAnswer(point, replying, replying, ['a reply']);
  });

  it('after the reply is no failure, though the service refuses the repeated call', async () => {
    await killedInAnswer('appended:messages', replying, refusing, ['a reply']);
  });

  it.each([
    ['before the failure is posted', 'key-stored'],
    ['after the failure, before its owner is told', 'appended:messages'],
  ])('%s has failed once, and is not made again', async (_, point) => {
    await killedInAnswer(point, refusing, replying, [REFUSED, NOTICE]);
    expect(calls.filter((content) => content.includes('hello'))).toHaveLength(1);
  });

  it('while it is tried again has the tries that are left, and then fails', async () => {
    await killedAt(
      'nowhere',
      {
        prepare: ({ api }) => newBot(api),
        work: async ({ api, kill }, bot) => {
          answer = (response) => {
            answer = silent;
            broken(response);
          };
          await call(api, bot, 'hello');
          await eventually(() => expect(calls).toHaveLength(2));
          await kill();
        },
        check: async ({ api }, bot) => {
          answer = broken;
          const reason = expect.stringContaining('did not handle it: there is no connection');
          await expectSaid(api, bot, [expect.stringContaining('Failure!'), reason]);
          // The first try, the one that was killed, and three tries again.
          expect(calls.filter((content) => content.includes('hello'))).toHaveLength(5);
        },
      },
      SETTINGS,
    );
  });
});
