import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mail } from '../../../src/platform/mail/mailer.js';
import { OutboxMailer } from '../../../src/platform/mail/outbox/outbox-mailer.js';

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

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outbox-'));
    logged = [];
    outbox = new OutboxMailer(join(folder, 'outbox'), 'noreply@example.com', (line) => logged.push(line));
  });
  afterEach(() => rm(folder, { recursive: true }));

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
});
