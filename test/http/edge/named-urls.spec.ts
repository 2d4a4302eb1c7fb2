import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { animatedGif, flatPng, png } from '../../support/pictures.js';
import { addEmoji } from '../../support/requests/custom-emoji.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';
import { ask, fileOf, upload } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** Places in a client, behind the server's address: the part after # never reaches a server. */
const isInClient = (url: URL): boolean => url.pathname === '/' && url.search === '';

describe('a URL that the server names', () => {
  let annals: Annals;
  let owner: Member;
  let cordelia: Member;
  let hamlet: Member;
  let urls: Readonly<Record<string, string>>;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Denmark' }],
      principals: [cordelia.id, hamlet.id],
    });
    const uploaded = async (content: Buffer, name: string): Promise<string> =>
      (await upload(annals.url, cordelia, fileOf(content, name))).body.url;
    urls = {
      large: await uploaded(await png(1200, 900), 'large.png'),
      small: await uploaded(await flatPng(40, 40), 'small kůň.png'),
      paper: await uploaded(Buffer.from('%PDF-1.4'), 'paper.pdf'),
    };
  });
  afterAll(() => annals.stop());

  const own = (found: readonly string[]): URL[] =>
    [...new Set(found)]
      .flatMap((text) => (/^(\/(?!\/)|https?:)/.test(text) ? new URL(text, annals.url) : []))
      .filter((url) => url.origin === new URL(annals.url).origin && !isInClient(url));
  /** Statuses of the answers to a reader, redirects within this server followed. */
  const statuses = async (found: readonly string[]): Promise<Record<string, number>> => {
    const answers: Record<string, number> = {};
    for (const { pathname, search } of own(found)) {
      let { status, headers } = await ask(annals.url, pathname + search, hamlet);
      const location = headers.get('location');
      if (location?.startsWith('/')) ({ status, headers } = await ask(annals.url, location, hamlet));
      answers[`${pathname}${search}`.replace(/[\w-]{24}/, 'ID')] = status;
    }
    return answers;
  };

  it('in a rendered message leads to something', async () => {
    const texts = [
      ...Object.values(urls).flatMap((url) => [`[name](${url})`, url, `${annals.url}${url}`, `* ${url}`, `> ${url}`]),
      `[download](${urls.large?.replace('user_uploads/', 'user_uploads/download/')})`,
      '#**Denmark** #**Denmark>topic** #**Denmark>topic@1**',
      '@**hamlet** @_**hamlet** :zulip: :smile: <time:2026-01-01T00:00:00Z>',
    ];
    const found: string[] = [];
    for (const content of texts) {
      const { body: sent } = await cordelia.api.post('/messages', { type: 'direct', to: [hamlet.id], content });
      const { body } = await hamlet.api.get(`/messages/${sent.id}`);
      for (const [, url = ''] of body.message.content.matchAll(/ (?:src|href|data-src-fullsize)="([^"]*)"/g))
        found.push(url.replaceAll('&amp;', '&'));
    }
    const answers = await statuses(found);
    expect(Object.keys(answers)).toEqual(expect.arrayContaining([expect.stringMatching(/zulip\.png$/)]));
    expect(Object.keys(answers).filter((url) => url.startsWith('/user_uploads/thumbnail/')).length).toBe(2);
    expect(Object.entries(answers).filter(([, status]) => status !== 200)).toEqual([]);
  });

  it('for a picture elsewhere is answered with a refusal, unless a setting lets the server fetch it', async () => {
    const { body } = await cordelia.api.post('/messages/render', { content: 'https://example.org/p.png' });
    const [, src = ''] = / src="([^"]*)"/.exec(body.rendered) ?? [];
    expect(Object.values(await statuses([src.replaceAll('&amp;', '&')]))).toEqual([403]);
    expect(src).toContain('/thumbnail?url=https%3A%2F%2Fexample.org%2Fp.png');
  });

  it('in the register response leads to something', async () => {
    expect((await addEmoji(annals.url, cordelia, 'dance', await animatedGif(64, 64, 2))).status).toBe(200);
    expect((await sendPictures(annals.url, hamlet, '/users/me/avatar', await flatPng(8, 8))).status).toBe(200);
    for (const path of ['/realm/icon', '/realm/logo?night=true'])
      expect((await sendPictures(annals.url, owner, path, await flatPng(8, 8))).status).toBe(200);
    const { body } = await hamlet.api.post('/register', {});
    const found: string[] = [];
    JSON.stringify(body, (key, value: unknown) => {
      if (typeof value === 'string' && (/url|source/.test(key) || value.startsWith(annals.url))) found.push(value);
      return value;
    });
    expect(found.length).toBeGreaterThan(5);
    // The organization's own emoji in two forms, and the data of all others.
    expect(found.filter((url) => url.includes('/emoji/'))).toHaveLength(3);
    // In the list of accounts, and the reader's own in two sizes.
    expect(found.filter((url) => url.includes(`/${hamlet.id}/`))).toHaveLength(3);
    // The icon, the logo of dark themes, and the default logo.
    expect(found.filter((url) => /\/realm\/|\/logo\//.test(url))).toHaveLength(3);
    expect(Object.entries(await statuses(found)).filter(([, status]) => status !== 200)).toEqual([]);
  });

  it('for an avatar leads to the avatar of its account, by id and by address', async () => {
    const { avatar_url } = (await hamlet.api.delete('/users/me/avatar')).body;
    for (const path of [`/avatar/${hamlet.id}`, `/avatar/${hamlet.email}`, `/avatar/${hamlet.id}/medium`]) {
      const { status, headers } = await ask(annals.url, path, cordelia);
      expect([status, headers.get('location')]).toEqual([302, avatar_url]);
    }
    expect(await ask(annals.url, `/avatar/${hamlet.id}`, null)).toMatchObject({ status: 401 });
    expect(await ask(annals.url, '/avatar/999999', cordelia)).toMatchObject({ status: 400 });
  });

  it('holds up no other read, however often it is asked for', async () => {
    const emoji = '/static/generated/emoji/images/emoji/unicode/zulip.png';
    // More than one caller's reads, and more than all reads, that can be at work.
    for (let nth = 0; nth < 40; nth++) {
      expect((await ask(annals.url, `/avatar/${hamlet.id}`, cordelia)).status).toBe(302);
      expect((await ask(annals.url, emoji, null)).status).toBe(200);
    }
    expect(await ask(annals.url, '/api/v1/users/me', cordelia)).toMatchObject({ status: 200 });
  });

  it('for the data of emoji needs no login, may be kept, and has the names that are rendered', async () => {
    const { server_emoji_data_url: url } = (await hamlet.api.post('/register', {})).body;
    const { status, headers, body } = await ask(annals.url, new URL(url).pathname, null);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toContain('immutable');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const codes = (body as unknown as { code_to_names: Record<string, string[]> }).code_to_names;
    expect(codes).toMatchObject({ '1f642': ['smile', expect.anything()], '1f389': ['tada', expect.anything()] });
    expect(Object.keys(codes).length).toBeGreaterThan(1800);
    for (const code of ['1f642', '1f44d', '1f419', '1f1e8-1f1ff', '1fae8', '0023-20e3'])
      for (const name of codes[code] ?? ['no such code']) {
        const { rendered } = (await hamlet.api.post('/messages/render', { content: `:${name}:` })).body;
        expect(rendered).toContain(`emoji-${code}"`);
      }
    expect(codes).not.toHaveProperty('1f426-200d-1f525');
  });

  it('for the emoji of the API is a picture that needs no login', async () => {
    const path = '/static/generated/emoji/images/emoji/unicode/zulip.png';
    const { status, headers, bytes } = await ask(annals.url, path, null);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  });
});
