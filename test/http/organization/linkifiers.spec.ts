import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** Linkifiers apply to content when it is written, and to topics whenever they are read. */
describe('linkifiers', () => {
  let annals: Annals;
  let owner: Member;
  let bert: Member;
  let channelId: number;
  const issues = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tracker.example/{id}' };
  const issue = (id: number): string => `<a href="https://tracker.example/${id}">#${id}</a>`;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    bert = await annals.user('bert');
    const principals = [owner.id, bert.id];
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'work' }], principals });
    channelId = (await owner.api.get('/get_stream_id', { stream: 'work' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const send = async (topic: string, content: string): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to: channelId, topic, content })).body.id;
  const read = async (id: number) => (await bert.api.get('/messages', { message_ids: [id] })).body.messages[0];

  it('apply to content written while they exist', async () => {
    const before = await send('plan', 'see #1');
    const linkifier = (await owner.api.post('/realm/filters', issues)).body.id;
    const meanwhile = await send('plan', 'see #1 and `#2`');
    await owner.api.patch(`/messages/${before}`, { content: 'see #3' });
    expect((await owner.api.delete(`/realm/filters/${linkifier}`)).status).toBe(200);
    const after = await send('plan', 'see #1');

    const told = async () => (await Promise.all([before, meanwhile, after].map(read))).map(({ content }) => content);
    const rendered = [`<p>see ${issue(3)}</p>`, `<p>see ${issue(1)} and <code>#2</code></p>`, '<p>see #1</p>'];
    expect(await told()).toEqual(rendered);
    await annals.restart(() => annals.removeDocuments());
    expect(await told()).toEqual(rendered);
  });

  it('are in the links of a topic, together with URLs', async () => {
    const queue = await EventQueue.register(bert.api, { event_types: ['message', 'update_message'] });
    const id = await send('#7 on python.org', 'words');
    const site = { text: 'python.org', url: 'https://python.org' };
    expect((await read(id)).topic_links).toEqual([site]);

    const linkifier = (await owner.api.post('/realm/filters', issues)).body.id;
    const links = [{ text: '#7', url: 'https://tracker.example/7' }, site];
    expect((await read(id)).topic_links).toEqual(links);
    const second = await send('#7 on python.org', 'words');
    const [, told] = await queue.drain();
    expect(told).toMatchObject({ type: 'message', message: { id: second, topic_links: links } });

    await owner.api.patch(`/messages/${second}`, { topic: 'about #8' });
    const update = (await queue.drain()).find(({ type }) => type === 'update_message');
    expect(update?.topic_links).toEqual([{ text: '#8', url: 'https://tracker.example/8' }]);
    await owner.api.delete(`/realm/filters/${linkifier}`);
    expect((await read(id)).topic_links).toEqual([site]);
  });

  it('cannot block the server', async () => {
    const refused = await owner.api.post('/realm/filters', { ...issues, pattern: '(?P<id>a)\\1' });
    expect(refused.status).toBe(400);
    await owner.api.post('/realm/filters', { pattern: '(?P<id>(a+)+)b', url_template: 'https://a.example/{id}' });
    const id = await send('evil', 'a'.repeat(10_000));
    expect((await read(id)).content).toBe(`<p>${'a'.repeat(10_000)}</p>`);
  });

  it('do not concern images, which have a thumbnail URL of this server if the organization enables previews', async () => {
    const cat = 'https://example.com/cat.png';
    expect((await read(await send('cats', cat))).content).toContain('src="/thumbnail?url=https%3A%2F%2Fexample.com');
    await owner.api.patch('/realm', { inline_image_preview: false });
    expect((await read(await send('cats', cat))).content).toBe(`<p><a href="${cat}">${cat}</a></p>`);
  });
});
