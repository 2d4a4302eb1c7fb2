import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quoted, welcome } from '../../../src/app/cli/run-server.js';
import { writeCredentials } from '../../../src/app/config/owner-credentials.js';

const url = 'http://127.0.0.1:9991';
const credentials = { email: "o'brien@example.com", key: 'k'.repeat(32), site: url };
const first = { url, isFirst: true, credentials } as const;

let folder: string;
let credentialsFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'annals-'));
  credentialsFile = join(folder, "o'brien's.zuliprc");
  await writeCredentials(credentialsFile, credentials);
});
afterAll(() => rm(folder, { recursive: true }));

/** The arguments that a shell makes of a line. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${line.trim().replace(/^curl/, '')}; do printf '%s\\n' "$word"; done`], {
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');

const curlLines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('  curl '));

describe('the output of a first start', () => {
  const text = () => welcome({ ...first, credentialsFile, password: { file: '/srv/annals/owner.password' } });

  it('has the URL of the server, and the paths of the credentials and the random password', () => {
    expect(text()).toContain(`Annals is running at ${url}\n`);
    expect(text()).toContain(credentialsFile);
    expect(text()).toContain('/srv/annals/owner.password');
  });

  it('has no key', () => {
    expect(text()).not.toContain(credentials.key);
  });

  it('has a curl line that sends a message, whatever characters the address and the path have', () => {
    expect(wordsOf(curlLines(text())[0] ?? '')).toEqual([
      '-sS',
      '-u',
      `o'brien@example.com:${'k'.repeat(32)}`,
      `${url}/api/v1/messages`,
      '-d',
      'type=channel',
      '-d',
      'to=general',
      '-d',
      'topic=hello',
      '-d',
      'content=Hello from curl',
    ]);
  });

  it('has a curl line that reads the message back, and one that makes a link for others', () => {
    const [, read = '', invite = ''] = curlLines(text());
    expect(wordsOf(read)).toContain(`${url}/api/v1/messages?anchor=newest&num_before=1&num_after=0`);
    expect(wordsOf(invite)).toContain(`${url}/api/v1/invites/multiuse`);
  });

  it('shows the random password on a terminal', () => {
    expect(welcome({ ...first, credentialsFile, password: { shown: 's3cret-one' } })).toContain('s3cret-one');
  });

  it('does not mention a password that was given', () => {
    expect(welcome({ ...first, credentialsFile })).not.toContain('password');
  });
});

describe('the output of a later start', () => {
  it('has the URL of the server and the path of the credentials, without any secret', () => {
    expect(welcome({ ...first, credentialsFile, isFirst: false })).toBe(
      `Annals is running at ${url}\nOwner's credentials: ${credentialsFile}\n`,
    );
  });

  it('names no file that is not there', () => {
    expect(welcome({ url, isFirst: false, credentialsFile: null, credentials: null })).toBe(
      `Annals is running at ${url}\n`,
    );
  });
});

describe('a quoted argument', () => {
  it.each(["it's", '$HOME `id` "x"', "'", 'a\\b', ''])('%j is read by a shell as it was', (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' })).toBe(text);
  });
});
