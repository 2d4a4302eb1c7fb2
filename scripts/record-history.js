// Records what this version writes, for test/history: a log with its keys, and what can be read from it.
// Usage, after a build and with a new version number: node scripts/record-history.js
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandBus } from '@nestjs/cqrs';
import { readConfig } from '../dist/src/config/config.js';
import { CONTENT_KEYS } from '../dist/src/content-keys/content-keys.js';
import { DeleteQueue } from '../dist/src/event-queues/domain/delete-queue.js';
import { EVENT_STORE } from '../dist/src/event-store/event-store.js';
import { startServer } from '../dist/src/main.js';
import { SendMessage } from '../dist/src/messages/domain/send-message.js';
import { SubscribeToChannels } from '../dist/src/subscriptions/domain/subscribe-to-channels.js';
import { UnsubscribeUsers } from '../dist/src/subscriptions/domain/unsubscribe-users.js';
import { CreateUser } from '../dist/src/users/domain/create-user.js';
import { DeactivateUser } from '../dist/src/users/domain/deactivate-user.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const data = await mkdtemp(join(tmpdir(), 'annals-'));
const server = await startServer(
  readConfig('start', {}, { ANNALS_DATA_DIR: data, ANNALS_PORT: '0', ANNALS_LOG_LEVEL: 'error' }),
);

const commands = server.app.get(CommandBus);
const by = (actorId) => ({ actorId, client: 'recorder', correlationId: 'recorded' });
const user = (name, role) =>
  commands.execute(new CreateUser({ email: `${name}@example.com`, fullName: name, password: null, role }, by(null)));
const send = (senderId, to, content, keys = {}) =>
  commands.execute(
    new SendMessage(
      { to, content, readBySender: null, localEcho: null, idempotencyKey: null, ...keys },
      senderId,
      by(senderId),
    ),
  );
const subscribe = (callerId, name, options = {}) =>
  commands.execute(
    new SubscribeToChannels(
      {
        channels: [{ name, description: `All about ${name}` }],
        principals: null,
        inviteOnly: false,
        historyPublicToSubscribers: null,
        authorizationErrorsFatal: true,
        ...options,
      },
      callerId,
      by(callerId),
    ),
  );
const topic = (channel, name) => ({ type: 'channel', channel, topic: name });

const iris = await user('iris', 400);
const guest = await user('guest', 600);
const leaver = await user('leaver', 400);
await subscribe(iris, 'general');
await subscribe(iris, 'vault', { inviteOnly: true, principals: [iris, guest] });
await send(1, topic('general', 'hello'), 'The *first* message');
await send(iris, topic('general', ''), 'Without a topic, Grüße 👋', { idempotencyKey: 'k-1' });
await send(iris, topic('vault', 'secrets'), 'Between us', { localEcho: { queueId: 'q', localId: '1' } });
await send(iris, topic('vault', 'secrets'), 'Again', { localEcho: { queueId: 'q', localId: '1' } });
await send(iris, { type: 'direct', users: [1, 'guest@example.com'] }, 'To both of you');
await commands.execute(new UnsubscribeUsers(2, [guest], by(iris)));
await commands.execute(new DeactivateUser(leaver, by(1)));

const key = (await readFile(join(data, 'owner.zuliprc'), 'utf8')).match(/^key=(.*)$/m)[1];
const registered = await fetch(`${server.url}/api/v1/register`, {
  method: 'POST',
  headers: { authorization: `Basic ${btoa(`owner@example.com:${key}`)}` },
  body: new URLSearchParams({ event_types: '["message"]' }),
}).then((response) => response.json());
await commands.execute(new DeleteQueue(registered.queue_id, 1, by(1)));

const { events } = await server.app.get(EVENT_STORE).readAll({ after: 0, limit: 10_000 });
const keys = await server.app.get(CONTENT_KEYS).getMany(events.map(({ id }) => id));
const folder = join(root, 'test/history', version);
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'log.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
await writeFile(
  join(folder, 'keys.json'),
  `${JSON.stringify(Object.fromEntries([...keys].map(([id, bytes]) => [id, Buffer.from(bytes).toString('base64')])), null, 2)}\n`,
);
await server.close();
await rm(data, { recursive: true });
process.stdout.write(`${events.length} events recorded in ${folder}; write expected.json beside them by hand\n`);
