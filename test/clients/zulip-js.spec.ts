import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import zulip from 'zulip-js';
import { compiled } from '../../scripts/transpile.js';
import { type OwnEngines, ownEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { RunningServer } from '../support/servers/running-server.js';

const LISTENER = compiled('test/support/outside/zulip-js-listener.ts');
const PASSWORD = 'correct horse battery';

describe('zulip-js, unmodified', () => {
  let engines: OwnEngines;
  let server: RunningServer;

  beforeAll(async () => {
    engines = await ownEngines();
    server = await start({ ANNALS_OWNER_PASSWORD: PASSWORD });
  });
  afterAll(async () => {
    await server.stop();
    await engines.remove();
  });

  const start = async (settings: Record<string, string> = {}) =>
    (await RunningServer.start(engines.dataDirectory, { ...settings, ...engines.environment })).caughtUp();

  const withPassword = (username: string) => zulip({ username, password: PASSWORD, realm: server.url });

  it('logs in with a password and with the file that the server wrote', async () => {
    const owner = await withPassword('owner@example.com');
    const profile = await owner.users.me.getProfile();
    expect(profile).toMatchObject({ result: 'success', email: 'owner@example.com', is_owner: true });

    const fromFile = await zulip({ zuliprc: join(engines.dataDirectory, 'owner.zuliprc') });
    expect(await fromFile.users.me.getProfile()).toEqual(profile);
  });

  it('sends to a channel, receives it through its queue and reads it back', async () => {
    const owner = await withPassword('owner@example.com');
    const queue = await owner.queues.register({ event_types: ['message'] });
    expect(queue).toMatchObject({ result: 'success' });

    const sent = await owner.messages.send({
      type: 'stream',
      to: 'general',
      topic: 'news',
      content: 'Hello, **world**',
    });
    expect(sent).toMatchObject({ result: 'success', msg: '' });

    const { events } = await owner.events.retrieve({
      queue_id: queue.queue_id,
      last_event_id: queue.last_event_id,
      dont_block: true,
    });
    expect(events).toEqual([
      expect.objectContaining({
        type: 'message',
        message: expect.objectContaining({ id: sent.id, content: 'Hello, **world**', subject: 'news' }),
      }),
    ]);

    const { messages } = await owner.messages.retrieve({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [
        { operator: 'channel', operand: 'general' },
        { operator: 'topic', operand: 'news' },
      ],
    });
    expect(messages).toEqual([
      expect.objectContaining({ id: sent.id, content: '<p>Hello, <strong>world</strong></p>' }),
    ]);
  });

  it('uploads a file, links to it in a message, downloads it, and deletes it', async () => {
    const owner = await withPassword('owner@example.com');
    const path = join(engines.dataDirectory, 'žluť notes.txt');
    await writeFile(path, 'what is in it');
    const { url, filename } = await owner.callEndpoint('/user_uploads', 'POST', { file: createReadStream(path) });
    expect(filename).toBe('žluť notes.txt');

    const message = { type: 'stream', to: 'general', topic: 'files', content: `[${filename}](${url})` };
    const { id } = await owner.messages.send(message);
    const listed = await owner.callEndpoint('/attachments', 'GET');
    const file = { name: filename, path_id: String(url).slice('/user_uploads/'.length), size: 13 };
    expect(listed).toMatchObject({ attachments: [{ ...file, messages: [{ id }] }], upload_space_used: 13 });

    const temporary = await owner.callEndpoint(String(url), 'GET');
    expect(await (await fetch(`${server.url}${temporary.url}`)).text()).toBe('what is in it');

    const edited = await owner.callEndpoint(`/messages/${id}`, 'PATCH', { content: 'nothing' });
    expect(edited).toMatchObject({ detached_uploads: [{ ...file, messages: [] }] });
    const [{ id: attachmentId }] = edited.detached_uploads as [{ id: number }];
    expect(await owner.callEndpoint(`/attachments/${attachmentId}`, 'DELETE')).toMatchObject({ result: 'success' });
    expect(await owner.callEndpoint('/attachments', 'GET')).toMatchObject({ attachments: [], upload_space_used: 0 });
  });

  it('creates accounts and channels, and sends direct messages', async () => {
    const owner = await withPassword('owner@example.com');
    const created = await owner.users.create({ email: 'iris@example.com', password: PASSWORD, full_name: 'Iris' });
    expect(created).toMatchObject({ result: 'success' });
    const iris = await withPassword('iris@example.com');
    const subscribed = await iris.users.me.subscriptions.add({
      subscriptions: JSON.stringify([{ name: 'design', description: 'Shapes' }]),
    });
    expect(subscribed).toMatchObject({ result: 'success', subscribed: { [created.user_id as number]: ['design'] } });
    expect(await owner.streams.getStreamId('design')).toMatchObject({ result: 'success' });

    const listener = spawn(process.execPath, [LISTENER, server.url, 'iris@example.com', PASSWORD]);
    let heard = '';
    listener.stdout.on('data', (chunk: Buffer) => {
      heard += chunk.toString('utf8');
    });
    try {
      await eventually(async () => {
        await owner.messages.send({ type: 'private', to: 'iris@example.com', content: 'Are you there?' });
        expect(heard).toContain('Are you there?');
      });
    } finally {
      listener.kill();
      await once(listener, 'exit');
    }
  });

  it('goes on with its queue after the server was killed', async () => {
    const owner = await withPassword('owner@example.com');
    const queue = await owner.queues.register({ event_types: ['message'] });
    const sent = await owner.messages.send({ type: 'stream', to: 'general', topic: 'news', content: 'Before' });
    await server.kill();
    server = await start();

    const again = await withPassword('owner@example.com');
    const { events } = await again.events.retrieve({
      queue_id: queue.queue_id,
      last_event_id: queue.last_event_id,
      dont_block: true,
    });
    expect((events as { message: { id: number } }[]).map((event) => event.message.id)).toEqual([sent.id]);
  });
});
