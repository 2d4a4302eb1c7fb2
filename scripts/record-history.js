// Records what this version writes, for test/history: a log with its keys, and what can be read from it.
// Usage, after a build and with a new version number: node scripts/record-history.js
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandBus } from '@nestjs/cqrs';
import { readConfig } from '../dist/src/config/read-config.js';
import { CONTENT_KEYS } from '../dist/src/content-keys/content-keys.js';
import { DeleteQueue } from '../dist/src/event-queues/domain/delete-queue.js';
import { EVENT_STORE } from '../dist/src/event-store/event-store.js';
import { startServer } from '../dist/src/main.js';
import { SendMessage } from '../dist/src/messages/domain/send-message.js';
import { UnsubscribeUsers } from '../dist/src/subscriptions/domain/unsubscribe-users.js';
import { apiKeyHash, newApiKey } from '../dist/src/users/commands/api-keys.js';
import { CreateUser } from '../dist/src/users/domain/create-user.js';
import { DeactivateUser } from '../dist/src/users/domain/deactivate-user.js';
import { GrantPermission, RevokePermission } from '../dist/src/users/domain/grant-permission.js';
import { IssueApiKey } from '../dist/src/users/domain/issue-api-key.js';
import { recordMessages } from './record-messages.js';
import { recordMoves } from './record-moves.js';
import { recordOwn } from './record-own.js';
import { recordPeople } from './record-people.js';
import { recordUploads } from './record-uploads.js';

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
/** Asks over HTTP, as the account with this address. */
const as = (email, key) =>
  async function ask(method, path, parameters = {}) {
    const texts = Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` },
      ...(method === 'GET' ? {} : { body: new URLSearchParams(texts) }),
    }).then((response) => response.json());
    if (answer.result !== 'success') throw new Error(`${method} ${path}: ${answer.msg}`);
    return answer;
  };
const subscribe = (ask, name, options = {}) =>
  ask('POST', '/users/me/subscriptions', {
    subscriptions: [{ name, description: `All about ${name}` }],
    ...options,
  });
/** As the owner. */
async function upload(content, name) {
  const body = new FormData();
  body.append('file', new File([content], name, { type: 'text/plain' }));
  const headers = { authorization: `Basic ${btoa(`owner@example.com:${ownKey}`)}` };
  const answer = await fetch(`${server.url}/api/v1/user_uploads`, { method: 'POST', headers, body });
  return answer.json();
}
const topic = (channel, name) => ({ type: 'channel', channel, topic: name });

const [, ownKey] = (await readFile(join(data, 'owner.zuliprc'), 'utf8')).match(/^key=(.*)$/m);
const owner = as('owner@example.com', ownKey);
const iris = await user('iris', 400);
const irisKey = newApiKey();
await commands.execute(new IssueApiKey(iris, apiKeyHash(irisKey), by(null)));
const asIris = as('iris@example.com', irisKey);
const guest = await user('guest', 600);
const leaver = await user('leaver', 400);
await subscribe(asIris, 'general');
await subscribe(asIris, 'vault', { invite_only: true, principals: [iris, guest] });
await send(1, topic('general', 'hello'), 'The *first* message');
await send(iris, topic('general', ''), 'Without a topic, Grüße 👋', { idempotencyKey: 'k-1' });
await send(iris, topic('vault', 'secrets'), 'Between us', { localEcho: { queueId: 'q', localId: '1' } });
await send(iris, topic('vault', 'secrets'), 'Again', { localEcho: { queueId: 'q', localId: '1' } });
await send(iris, { type: 'direct', users: [1, 'guest@example.com'] }, 'To both of you');
await commands.execute(new UnsubscribeUsers(2, [guest], by(iris)));
await commands.execute(new DeactivateUser(leaver, by(1)));

await recordPeople(owner);
await recordMessages(owner, iris);
await recordUploads(owner, upload);
await recordMoves(owner);
await recordOwn(owner, as);
await commands.execute(new GrantPermission('can_create_users', iris, by(null)));
await commands.execute(new RevokePermission('can_create_users', iris, by(null)));
const registered = await owner('POST', '/register', { event_types: ['message'] });
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
