import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mail } from '../../../src/platform/mail/mailer.js';
import { OutboxMailer } from '../../../src/platform/mail/outbox/outbox-mailer.js';
import { eventually } from '../../support/eventually.js';

const HOUR_MS = 3_600_000;

const mail = (changes: Partial<Mail> = {}): Mail => ({
  id: '5f0b3f0c-3c1e-5d2a-9a55-4d9f0f4a7c11',
  lane: 'account',
  to: 'iris@example.com',
  fromName: 'Annals',
  subject: 'Hello',
  text: 'First line\n\nSecond line\n',
  at: Date.UTC(2026, 0, 31, 18, 30),
  ...changes,
});

describe('the outbox', () => {
  let folder: string;
  let logged: string[];
  let outbox: OutboxMailer;
  /** Ids of the content keys that exist. */
  let keys: Set<string>;
  let now: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outbox-'));
    logged = [];
    keys = new Set();
    now = Date.now();
    outbox = open();
  });
  afterEach(async () => {
    await outbox.close();
    await rm(folder, { recursive: true });
  });

  const open = () =>
    new OutboxMailer({
      directory: join(folder, 'outbox'),
      sender: 'noreply@example.com',
      contentKeys: {
        getMany: async (ids) => new Map(ids.filter((id) => keys.has(id)).map((id) => [id, new Uint8Array(32)])),
      },
      log: { info: (line) => logged.push(line), warn: (line) => logged.push(line) },
      now: () => now,
      every: 5,
    });

  const files = () => readdir(join(folder, 'outbox'));
  const only = async () => {
    const [name, ...others] = await files();
    expect(others).toEqual([]);
    return readFile(join(folder, 'outbox', name ?? ''), 'utf8');
  };

  it('writes each mail to a file in the format of mail servers, and logs one line', async () => {
    await outbox.send(mail());
    const text = await only();
    expect(text).not.toMatch(/[^\r]\n/);
    const [head, ...body] = text.split('\r\n\r\n');
    expect(head?.split('\r\n')).toEqual(
      expect.arrayContaining([
        'From: Annals <noreply@example.com>',
        'To: iris@example.com',
        'Subject: Hello',
        'Message-ID: <5f0b3f0c-3c1e-5d2a-9a55-4d9f0f4a7c11@example.com>',
        'Date: Sat, 31 Jan 2026 18:30:00 +0000',
        'Auto-Submitted: auto-generated',
      ]),
    );
    expect(body).toEqual(['First line', 'Second line\r\n']);
    expect(logged).toEqual([expect.stringMatching(/^mail to iris@example\.com is in .*\.eml: Hello$/)]);
  });

  it('writes a repeated mail to the same file, and leaves no partial file', async () => {
    await outbox.send(mail());
    await outbox.send(mail());
    expect(await files()).toEqual([`${mail().id}.eml`]);
  });

  it('is readable only for the user who runs the program', async () => {
    await outbox.send(mail());
    expect((await stat(join(folder, 'outbox'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'outbox', `${mail().id}.eml`))).mode & 0o777).toBe(0o600);
  });

  it('has its folder from the start, before the first mail', async () => {
    await outbox.start();
    expect(await files()).toEqual([]);
    expect((await stat(join(folder, 'outbox'))).mode & 0o777).toBe(0o700);
  });

  it('adds no header for a name or a subject with line breaks', async () => {
    const name = 'Ännals"\r\nBcc: all@example.com';
    await outbox.send(mail({ fromName: name, subject: `Moved\r\nBcc: all@example.com` }));
    expect(await only()).not.toMatch(/^Bcc:/m);
  });

  it('rejects a mail that cannot be written, and writes it when it is sent again', async () => {
    await writeFile(join(folder, 'outbox'), 'in the way');
    await expect(outbox.send(mail())).rejects.toThrow();
    await rm(join(folder, 'outbox'));
    await mkdir(join(folder, 'outbox'));
    await outbox.send(mail());
    expect(await files()).toHaveLength(1);
  });

  describe('removes a mail', () => {
    const expiresAt = Date.now() + HOUR_MS;
    beforeEach(() => {
      keys = new Set(['one', 'other', 'for-ever']);
    });
    const sendAll = async () => {
      await outbox.send(mail({ id: 'one', link: { keyId: 'one', expiresAt } }));
      await outbox.send(mail({ id: 'other', link: { keyId: 'other', expiresAt: expiresAt + HOUR_MS } }));
      await outbox.send(mail({ id: 'for-ever', link: { keyId: 'for-ever', expiresAt: null } }));
      await outbox.send(mail({ id: 'notice' }));
    };
    const left = (...ids: string[]) =>
      eventually(async () => expect(await files()).toEqual(ids.map((id) => `${id}.eml`)));

    it('when its link is used, revoked or replaced, which destroys the key', async () => {
      await sendAll();
      await outbox.start();
      await left('for-ever', 'notice', 'one', 'other');
      keys.delete('one');
      await left('for-ever', 'notice', 'other');
      await eventually(() => expect(logged.at(-1)).toMatch(/^1 mails are removed from /));
    });

    it('when the time of its link is over, or after 30 days without a link, also those of an earlier run', async () => {
      await sendAll();
      await outbox.close();
      outbox = open();
      now += HOUR_MS;
      await outbox.start();
      await left('for-ever', 'notice', 'other');
      now += 30 * 24 * HOUR_MS;
      await left('for-ever');
    });

    it('that was never written to its end, and no file that is not a mail', async () => {
      await sendAll();
      for (const name of ['half.eml.new', 'note.txt']) await writeFile(join(folder, 'outbox', name), '');
      now += 61_000;
      await outbox.start();
      await eventually(async () => expect(await files()).not.toContain('half.eml.new'));
      expect(await files()).toEqual(['for-ever.eml', 'note.txt', 'notice.eml', 'one.eml', 'other.eml'].sort());
    });

    it('later if the keys cannot be asked for, and says so once', async () => {
      await sendAll();
      await outbox.close();
      let isAway = true;
      outbox = new OutboxMailer({
        directory: join(folder, 'outbox'),
        sender: 'noreply@example.com',
        contentKeys: {
          getMany: async () => {
            if (isAway) throw new Error('the keys are away');
            return new Map();
          },
        },
        log: { info: () => {}, warn: (line) => logged.push(line) },
        every: 5,
      });
      await outbox.start();
      await eventually(() => expect(logged.at(-1)).toMatch(/^old mails in .* stay, trying again: .*the keys are away/));
      isAway = false;
      await left('notice');
      expect(logged.filter((line) => line.includes('stay'))).toHaveLength(1);
    });
  });
});
