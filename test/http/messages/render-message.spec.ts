import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('POST /messages/render', () => {
  let annals: Annals;
  let owner: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    guest = await annals.user('guest', 600);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'work' }] });
  });
  afterAll(() => annals.stop());

  const render = (content: unknown, by = owner) => by.api.post('/messages/render', { content });

  it('answers the HTML of the content, and appends nothing', async () => {
    const head = await annals.head();
    const { status, body } = await render('*a*\n```quote\nb\n```');
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      rendered: '<p><em>a</em></p>\n<blockquote>\n<p>b</p>\n</blockquote>',
    });
    expect(await annals.head()).toBe(head);
  });

  it('renders only names that the caller may see', async () => {
    expect((await render('#**work**')).body.rendered).toMatch(/^<p><a class="stream" data-stream-id="\d+"/);
    expect((await render('#**work**', guest)).body.rendered).toBe('<p>#<strong>work</strong></p>');
    expect((await render('@**guest**')).body.rendered).toContain(`data-user-id="${guest.id}"`);
  });

  it('follows the settings of the caller', async () => {
    expect((await render('well :)')).body.rendered).toBe('<p>well :)</p>');
    expect((await owner.api.patch('/settings', { translate_emoticons: true })).status).toBe(200);
    expect((await render('well :)')).body.rendered).toContain('class="emoji emoji-1f642"');
    expect((await render('well :)', guest)).body.rendered).toBe('<p>well :)</p>');
  });

  it('refuses content that could not be sent', async () => {
    expect((await render(undefined)).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'content' });
    expect((await render('a\0')).body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });
});
