import { afterEach, describe, expect, it } from '@jest/globals';
import { WELCOME_BOT } from '../../../src/events/shared/system-bots.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { Annals } from '../../support/servers/annals.js';
import { run } from '../../support/servers/command-line.js';

const GREETED = { ANNALS_WELCOME_MESSAGES: 'true' };
const TEXT = 'The kitchen is on the left.';

describe('people whom somebody adds', () => {
  let annals: Annals;

  afterEach(() => annals.stop());

  const add = async (name: string): Promise<number> => {
    const account = { email: `${name}@example.com`, full_name: name, password: 'a good password' };
    return (await (await annals.owner()).api.post('/users', account)).body.user_id;
  };
  /** Every message by the server itself, with those whom it reaches. */
  const greetings = async () =>
    (await annals.events('messages'))
      .filter(({ type }) => type === 'MessageSent')
      .map(({ data }) => data as { senderId: number; recipient: object; content: { text: string } })
      .map(({ senderId, recipient, content }) => ({ senderId, recipient, text: content.text }));
  const greeting = (userId: number) => ({
    senderId: WELCOME_BOT.id,
    recipient: { type: 'direct', userIds: [userId, WELCOME_BOT.id] },
    text: expect.stringMatching(/^Hello, and welcome to Annals!\n\n.*\n\nThe kitchen is on the left\.$/),
  });

  it('are greeted once, by the time of the answer; the owner and bots are not', async () => {
    const engines = await ownEngines();
    annals = await Annals.on(engines, GREETED);
    const owner = await annals.owner();
    await owner.api.patch('/realm', { welcome_message_custom_text: TEXT });
    const nina = await add('nina');
    expect(await greetings()).toEqual([greeting(nina)]);
    expect((await owner.api.post('/bots', { full_name: 'Echo', short_name: 'echo', bot_type: 1 })).status).toBe(200);
    await annals.restart(async () => {
      const words = ['user', 'create', 'omar@example.com', '--name', 'Omar'];
      expect(await run(words, engines.environment)).toMatchObject({ code: 0 });
    });
    const omar = (await (await annals.owner()).api.get('/users/omar@example.com')).body.user.user_id;
    expect(await greetings()).toEqual([greeting(nina), greeting(omar)]);
    const { api } = await annals.user('pia');
    const { messages } = (await api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })).body;
    expect(messages).toMatchObject([{ type: 'private', content: expect.stringContaining('Hello, and welcome to') }]);
  });

  it('are not greeted if the server is to greet nobody, also not by a later start', async () => {
    annals = await Annals.start({ ANNALS_WELCOME_MESSAGES: 'false' });
    await add('nina');
    await annals.restart();
    await add('omar');
    expect(await greetings()).toEqual([]);
  });
});
