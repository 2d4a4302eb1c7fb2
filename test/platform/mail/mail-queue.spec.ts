import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import type { Mail, OnRefused } from '../../../src/platform/mail/mailer.js';
import { MailQueue } from '../../../src/platform/mail/queue/mail-queue.js';
import { openSmtp } from '../../../src/platform/mail/smtp/smtp-transport.js';
import type { TaskRefusal } from '../../../src/platform/tasks/task.js';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { MailServer } from '../../support/outside/mail-server.js';

const HOUR_MS = 3_600_000;

describe('the queue of mails', () => {
  let own: OwnEngines;
  let engines: Engines;
  let server: MailServer;
  let queue: MailQueue;
  let logged: string[];
  let now: number;
  let refused: OnRefused;

  beforeEach(async () => {
    own = await ownEngines();
    engines = await openEngines(own.settings);
    server = await MailServer.start();
    logged = [];
    now = Date.now();
    refused = async () => {};
    queue = await started();
  });
  afterEach(async () => {
    await queue.close();
    await server.stop();
    await engines.close();
    await own.remove();
  });

  async function started(url = server.url): Promise<MailQueue> {
    const { documentStore, contentKeys } = engines;
    const log = { info: (line: string) => logged.push(line), warn: (line: string) => logged.push(line) };
    const transport = openSmtp({ url, sender: 'noreply@example.com' });
    const opened = new MailQueue({
      documentStore,
      contentKeys,
      transport,
      onRefused: (one, refusal) => refused(one, refusal),
      log,
      now: () => now,
    });
    await opened.start();
    return opened;
  }

  /** Ends the queue and starts it so much later. */
  async function restart(after = 0): Promise<void> {
    await queue.close();
    now += after;
    queue = await started();
  }

  const mail = (id: string, changes: Partial<Mail> = {}): Mail => ({
    id,
    lane: 'account',
    to: `${id}@example.org`,
    fromName: 'Zoë & Söhne',
    subject: 'Hello',
    text: 'Grüße, and\na second line\n',
    at: now,
    ...changes,
  });

  it('sends a mail with both forms of its text', async () => {
    await queue.send(mail('iris', { html: '<p>Grüße</p>' }));
    const { raw, text } = await server.mailTo('iris@example.org');
    expect(text).toContain('Grüße, and\na second line');
    for (const part of ['text/plain', 'text/html', 'X-Auto-Response-Suppress: All', 'List-ID: <annals.example.com>'])
      expect(raw).toContain(part);
    expect(raw).toContain('Message-ID: <iris@example.com>');
  });

  it('sends a mail once, however often it is handed in, also after a restart', async () => {
    await queue.send(mail('iris'));
    await server.mailTo('iris@example.org');
    await eventually(() => expect(logged).toEqual(['mail iris is sent']));
    await queue.send(mail('iris'));
    await restart();
    await queue.send(mail('iris'));
    await queue.send(mail('last'));
    await server.mailTo('last@example.org');
    expect(server.mails.map(({ to }) => to)).toEqual(['iris@example.org', 'last@example.org']);
  });

  it('keeps mails while the server is away, and sends them when it is back', async () => {
    await server.stop();
    for (const id of ['iris', 'noor']) await queue.send(mail(id));
    await eventually(() => expect(logged).toHaveLength(2));
    expect(logged[0]).toMatch(/^mail (iris|noor) is tried again in 30 s: .*ECONNREFUSED/);
    await server.listen();
    await restart(31_000);
    for (const id of ['iris', 'noor']) await server.mailTo(`${id}@example.org`);
    expect(server.mails).toHaveLength(2);
  });

  it('gives up a mail that the server refuses, and holds no other up for one that has to wait', async () => {
    server.answer = (to) => ({ 'gone@example.org': 550, 'full@example.org': 450 })[to];
    for (const id of ['gone', 'full', 'iris']) await queue.send(mail(id));
    await server.mailTo('iris@example.org');
    await eventually(() => expect(logged).toHaveLength(3));
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^mail gone is given up, because the mail server refuses it: /),
        expect.stringMatching(/^mail full is tried again in 30 s: /),
      ]),
    );
    server.answer = () => undefined;
    await restart(HOUR_MS);
    await server.mailTo('full@example.org');
    expect(server.tries.filter((to) => to === 'gone@example.org')).toHaveLength(1);
  });

  it('sends a mail of an account past hundreds of invitations that wait for a slow server', async () => {
    const passed = new Deferred<void>();
    server.holds = (to) => (to.startsWith('invited') ? passed.promise : undefined);
    for (let index = 0; index < 300; index++) await queue.send(mail(`invited${index}`, { lane: 'invitations' }));
    await eventually(() => expect(server.tries.length).toBeGreaterThan(0));
    await queue.send(mail('reset'));
    await server.mailTo('reset@example.org');
    expect(server.mails).toHaveLength(1);
    expect(server.tries.length).toBeLessThan(5);
    passed.resolve();
    await server.mailTo('invited0@example.org');
  });

  it('waits longer after each failure, and gives up after three days', async () => {
    server.answer = () => 451;
    await queue.send(mail('iris'));
    for (const [tries, wait] of [30, 60, 120, 240].entries()) {
      await eventually(() => expect(logged).toHaveLength(tries + 1));
      expect(logged[tries]).toContain(`is tried again in ${wait} s`);
      await restart(wait * 1000);
    }
    await eventually(() => expect(logged).toHaveLength(5));
    await restart(73 * HOUR_MS);
    await eventually(() => expect(logged.at(-1)).toMatch(/^mail iris is given up after 6 tries: /));
    await restart(HOUR_MS);
    await queue.send(mail('last'));
    await eventually(() => expect(server.tries.at(-1)).toBe('last@example.org'));
    expect(server.tries.filter((to) => to === 'iris@example.org')).toHaveLength(6);
  });

  it('does not send a mail whose link has ended while it waited', async () => {
    await server.stop();
    const { contentKeys } = engines;
    for (const id of ['revoked', 'over', 'valid']) {
      await contentKeys.putIfAbsent(id, newContentKey());
      const expiresAt = id === 'over' ? now + 30_000 : null;
      await queue.send(mail(id, { link: { keyId: id, expiresAt } }));
    }
    await eventually(() => expect(logged).toHaveLength(3));
    await contentKeys.destroy(['revoked']);
    await server.listen();
    await restart(31_000);
    await server.mailTo('valid@example.org');
    await eventually(() => expect(logged).toHaveLength(6));
    for (const id of ['revoked', 'over'])
      expect(logged).toContain(`mail ${id} is not sent, because its link has ended`);
    expect(server.mails).toHaveLength(1);
    expect((await contentKeys.getMany(['mail-revoked', 'mail-over'])).size).toBe(0);
  });

  it('has a refusal recorded before it forgets the mail, however long that takes', async () => {
    server.answer = () => 550;
    const tried: string[] = [];
    refused = async ({ id }) => {
      tried.push(id);
      throw new Error('the log is away');
    };
    await queue.send(mail('iris', { about: { name: 'invitation', id: 7 } }));
    await eventually(() => expect(logged.at(-1)).toMatch(/^that mail iris is given up cannot be recorded, .* 30 s: /));
    expect(tried).toEqual(['iris']);
    const recorded: [Mail, TaskRefusal][] = [];
    refused = async (...both) => void recorded.push(both);
    await restart(31_000);
    await eventually(() => expect(recorded).toHaveLength(1));
    expect(recorded[0]).toMatchObject([
      { id: 'iris', at: now - 31_000, about: { name: 'invitation', id: 7 } },
      { reason: 'refused', code: 550 },
    ]);
    expect(server.tries).toEqual(['iris@example.org']);
    await eventually(async () => expect((await engines.contentKeys.getMany(['mail-iris'])).size).toBe(0));
  });

  it('keeps no content of a finished mail', async () => {
    await queue.send(mail('iris'));
    const database = await engines.documentStore.database('mails');
    await eventually(async () => {
      const documents = await database.collection('mails').find({}, { sort: { _id: 1 }, limit: 2 });
      expect(documents).toEqual([{ _id: 'iris', lane: 'account', queuedAt: now, tries: 1, finishedAt: now }]);
    });
    expect(await engines.contentKeys.getMany(['mail-iris'])).toEqual(new Map());
  });
});
