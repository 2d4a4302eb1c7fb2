// Records a log of this version for test/history, with its keys and the documents that follow from it.
// CONTRIBUTING tells how a release is made. Usage, with a new version number: node scripts/run.js scripts/record-history.ts
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { recordAct } from '../src/app/cli/operate.js';
import { engineSettingsOf } from '../src/app/config/config.js';
import { readConfig } from '../src/app/config/read-config.js';
import { startServer } from '../src/app/server.js';
import type { Role } from '../src/events/shared/role.js';
import { UnsubscribeUsers } from '../src/features/channels/domain/subscribe-users.js';
import { DeleteQueue } from '../src/features/event-queues/domain/event-queues.js';
import { type Addressee, SendMessage } from '../src/features/messages/domain/send-message.js';
import { apiKeyHash, newApiKey } from '../src/features/users/commands/api-keys.handlers.js';
import { DeactivateUser } from '../src/features/users/domain/activity.js';
import { IssueApiKey } from '../src/features/users/domain/api-keys.js';
import { CreateUser } from '../src/features/users/domain/create-user.js';
import { GrantPermission, RevokePermission } from '../src/features/users/domain/grant-permission.js';
import { openEngines } from '../src/platform/engines/open-engines.js';
import { newEventId } from '../src/platform/kernel/ids.js';
import { MailServer } from '../test/support/outside/mail-server.js';
import { BouncerServer } from '../test/support/outside/push/bouncer-server.js';
import { type Ask, asking, type Parameters } from './api-client.js';
import { recordAccesses } from './record-accesses.js';
import { recordDue } from './record-due.js';
import { recordMessages } from './record-messages.js';
import { recordMoves } from './record-moves.js';
import { recordDevices, recordMails, refusing } from './record-outside.js';
import { recordOwn } from './record-own.js';
import { recordPeople } from './record-people.js';
import { recordUploads } from './record-uploads.js';
import { ROOT } from './transpile.js';

const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
const data = await mkdtemp(join(tmpdir(), 'annals-'));
const mail = await MailServer.start();
mail.answer = refusing;
const bouncer = await BouncerServer.start();
const config = readConfig(
  'start',
  {},
  {
    ANNALS_DATA_DIR: data,
    ANNALS_PORT: '0',
    ANNALS_LOG_LEVEL: 'error',
    // An invitation is mailed again at once.
    ANNALS_INVITATION_PAUSE_SECONDS: '0',
    ANNALS_SMTP_URL: mail.url,
    // The first messages are those that the recorder sends.
    ANNALS_WELCOME_MESSAGES: 'false',
    ...bouncer.settings,
  },
);
const server = await startServer(config);

const commands = server.app.get(CommandBus);
const by = (actorId: number | null) => ({ actorId, client: 'recorder', correlationId: 'recorded' });
const user = (name: string, role: Role): Promise<number> =>
  commands.execute(
    new CreateUser({ account: { email: `${name}@example.com`, fullName: name, password: null, role }, by: by(null) }),
  );
const send = (senderId: number, to: Addressee, content: string, keys: Partial<SendMessage['message']> = {}) =>
  commands.execute(
    new SendMessage({
      message: { to, content, readBySender: null, localEcho: null, idempotencyKey: null, ...keys },
      senderId,
      by: by(senderId),
    }),
  );
/** Client of the account with this address. */
const as = (email: string, key: string): Ask => asking(server.url, email, key);
const subscribe = (ask: Ask, name: string, options: Parameters = {}) =>
  ask('POST', '/users/me/subscriptions', {
    subscriptions: [{ name, description: `All about ${name}` }],
    ...options,
  });
/** Client of the owner. */
async function post(path: string, file: File): Promise<{ readonly url: string }> {
  const body = new FormData();
  body.append('file', file);
  const headers = { authorization: `Basic ${btoa(`owner@example.com:${ownKey}`)}` };
  const answer = await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body });
  return (await answer.json()) as { readonly url: string };
}
const topic = (channel: string, name: string) => ({ type: 'channel', channel, topic: name }) as const;

const [, ownKey = ''] = (await readFile(join(data, 'owner.zuliprc'), 'utf8')).match(/^key=(.*)$/m) ?? [];
const owner = as('owner@example.com', ownKey);
const iris = await user('iris', 400);
const irisKey = newApiKey();
await commands.execute(new IssueApiKey({ userId: iris, keyHash: apiKeyHash(irisKey), by: by(null) }));
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
await commands.execute(new UnsubscribeUsers({ channelId: 2, userIds: [guest], by: by(iris) }));
await commands.execute(new DeactivateUser({ userId: leaver, by: by(1), notice: null }));

await recordPeople(owner);
await recordMessages(owner, iris);
await recordUploads(owner, post);
await recordMoves(owner);
await recordOwn(owner, as);
await recordMails(owner, mail, server.url);
await recordDevices(owner, bouncer);
await recordDue(owner);
await recordAccesses(owner, asIris, 2);
await commands.execute(new GrantPermission({ permission: 'can_create_users', userId: iris, by: by(null) }));
await commands.execute(new RevokePermission({ permission: 'can_create_users', userId: iris, by: by(null) }));
const registered = await owner('POST', '/register', { event_types: ['message'] });
await commands.execute(new DeleteQueue({ queueId: registered.queue_id, userId: 1, by: by(1) }));

// Accesses are gathered for a while; the last ones are appended at the end.
await server.close();
await mail.stop();
await bouncer.stop();
const names = { user: 'operator', sudoUser: null };
await recordAct(config, { requestId: newEventId(), command: 'log', options: { limit: [20] }, names });
const engines = await openEngines(engineSettingsOf(config));
const { events } = await engines.eventStore.readAll({ after: 0, limit: 10_000 });
const keys = await engines.contentKeys.getMany(events.map(({ id }) => id));
const folder = join(ROOT, 'test/history', version);
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'log.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
await writeFile(
  join(folder, 'keys.json'),
  `${JSON.stringify(Object.fromEntries([...keys].map(([id, bytes]) => [id, Buffer.from(bytes).toString('base64')])), null, 2)}\n`,
);
await engines.close();
await rm(data, { recursive: true });
process.stdout.write(`${events.length} events recorded in ${folder}; write expected.json beside them by hand\n`);
