import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/**
 * `x`: done. `.`: the user or bot does not exist. `-`: not permitted. `A`: only administrators. `O`: only owners.
 * `g`: refused to guests. `b`: refused to bots. `!`: 401.
 */
function mark({ status, body }: Answer): string {
  if (status === 200) return 'x';
  if (status === 401) return '!';
  const marks: Record<string, string> = {
    'Insufficient permission': '-',
    'User not authorized to create users': '-',
    'Must be an organization administrator': 'A',
    'Must be an organization owner': 'O',
    'Not allowed for guest users': 'g',
    'This endpoint does not accept bot requests.': 'b',
    'No such user': '.',
    'No such bot': '.',
  };
  return marks[body.msg] ?? JSON.stringify(body);
}

describe('permissions on accounts and bots', () => {
  let annals: Annals;
  let owner: Member;
  let maker: Member;
  const people: (readonly [string, Member])[] = [];
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    maker = await annals.user('maker');
    const robot = await newBot(maker);
    people.push(
      ['owner', owner],
      ['administrator', await annals.user('administrator', 200)],
      ['moderator', await annals.user('moderator', 300)],
      ['member', await annals.user('member')],
      ['maker', maker],
      ['guest', await annals.user('guest', 600)],
      ['bot', robot],
      ['deactivated', await annals.user('gone', 200)],
    );
    await owner.api.delete(`/users/${people.at(-1)?.[1].id}`);
  });
  afterAll(() => annals.stop());

  async function newBot(who: Member): Promise<Member> {
    const name = `bot${++made}`;
    const { body } = await who.api.post('/bots', { full_name: name, short_name: name });
    const credentials = { email: `${name}-bot@127.0.0.1`, apiKey: body.api_key };
    return { id: body.user_id, ...credentials, api: annals.api.as(credentials) };
  }

  const newUser = (role: 400 | 600 = 400) => annals.user(`user${++made}`, role);
  async function newOwner(): Promise<Member> {
    const member = await newUser();
    await owner.api.patch(`/users/${member.id}`, { role: 100 });
    return member;
  }
  async function gone<T extends Member>(member: T, path = 'users'): Promise<T> {
    await owner.api.delete(`/${path}/${member.id}`);
    return member;
  }

  type Deed = (who: Member) => Promise<Answer>;

  /** In the order of `people`: owner, administrator, moderator, member, the bot's maker, guest, bot, deactivated. */
  const table: readonly (readonly [string, string, Deed])[] = [
    ['reads the list', 'xxxxxxx!', (who) => who.api.get('/users')],
    ['reads an account', 'xxxxxxx!', (who) => who.api.get(`/users/${owner.id}`)],
    ['reads an account by address', 'xxxxxxx!', (who) => who.api.get(`/users/${owner.email}`)],
    ['reads its own account', 'xxxxxxx!', (who) => who.api.get('/users/me')],
    [
      'creates an account',
      'x-AAAAA!',
      (who) =>
        who.api.post('/users', {
          email: `new${++made}@example.com`,
          password: 'long enough',
          full_name: `New ${made}`,
        }),
    ],
    [
      'renames another user',
      'xxAAAAA!',
      async (who) => who.api.patch(`/users/${(await newUser()).id}`, { full_name: `Name ${++made}` }),
    ],
    ['renames itself', 'xxAAAAA!', (who) => who.api.patch(`/users/${who.id}`, { full_name: `Self ${++made}` })],
    [
      'makes an administrator',
      'xxAAAAA!',
      async (who) => who.api.patch(`/users/${(await newUser()).id}`, { role: 200 }),
    ],
    ['makes an owner', 'xOAAAAA!', async (who) => who.api.patch(`/users/${(await newUser()).id}`, { role: 100 })],
    ['demotes an owner', 'xOAAAAA!', async (who) => who.api.patch(`/users/${(await newOwner()).id}`, { role: 400 })],
    [
      'changes an address',
      'xOAAAAA!',
      async (who) => who.api.patch(`/users/${(await newUser()).id}`, { new_email: `to${++made}@example.com` }),
    ],
    ['changes an account that does not exist', '..AAAAA!', (who) => who.api.patch('/users/9999', { full_name: 'x' })],
    ['deactivates an account', 'xxAAAAA!', async (who) => who.api.delete(`/users/${(await newUser()).id}`)],
    ['deactivates an owner', 'xOAAAAA!', async (who) => who.api.delete(`/users/${(await newOwner()).id}`)],
    ['deactivates an account that does not exist', '..AAAAA!', (who) => who.api.delete('/users/9999')],
    [
      'reactivates an account',
      'xxAAAAA!',
      async (who) => who.api.post(`/users/${(await gone(await newUser())).id}/reactivate`),
    ],
    [
      'reactivates a bot',
      'xxAAxAA!',
      async (who) => who.api.post(`/users/${(await gone(await newBot(maker), 'bots')).id}/reactivate`),
    ],
    ['creates a bot', 'xxxxxgb!', (who) => who.api.post('/bots', { full_name: `B ${++made}`, short_name: `b${made}` })],
    ['lists its bots', 'xxxxxgb!', (who) => who.api.get('/bots')],
    [
      'renames a bot',
      'xx--xgb!',
      async (who) => who.api.patch(`/bots/${(await newBot(maker)).id}`, { full_name: `B ${++made}` }),
    ],
    [
      'changes the owner of a bot',
      'xx--xgb!',
      async (who) => who.api.patch(`/bots/${(await newBot(maker)).id}`, { bot_owner_id: owner.id }),
    ],
    ['promotes a bot', 'xx--Agb!', async (who) => who.api.patch(`/bots/${(await newBot(maker)).id}`, { role: 300 })],
    [
      'regenerates the key of a bot',
      'xx--xgb!',
      async (who) => who.api.post(`/bots/${(await newBot(maker)).id}/api_key/regenerate`),
    ],
    ['deactivates a bot', 'xx--xgb!', async (who) => who.api.delete(`/bots/${(await newBot(maker)).id}`)],
    ['deactivates as a bot an account that is not one', '.....gb!', async (who) => who.api.delete(`/bots/${maker.id}`)],
  ];

  it.each(table)('%s: %s', async (_, expected, deed) => {
    let marks = '';
    for (const [, who] of people) marks += mark(await deed(who));
    expect(marks).toBe(expected);
  });

  it.each([
    ['regenerates its own key', (who: Member) => who.api.post('/users/me/api_key/regenerate')],
    ['deactivates itself', (who: Member) => who.api.delete('/users/me')],
  ] as const)('%s: everybody except bots', async (_, deed) => {
    const [bot, deactivated] = people.slice(-2).map(([, who]) => who) as [Member, Member];
    const asking = [await newOwner(), await newUser(), await newUser(600), bot, deactivated];
    let marks = '';
    for (const who of asking) marks += mark(await deed(who));
    expect(marks).toBe('xxxb!');
  });
});
