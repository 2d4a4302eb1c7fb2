import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { quoted, welcome } from '../../../src/app/cli/welcome.js';

const url = 'http://127.0.0.1:9991';
const credentialsFile = '/srv/annals/owner.zuliprc';
const credentials = { email: "o'brien@example.com", key: 'k'.repeat(32), site: url };

/** The arguments that a shell makes of a line. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${line.trim().replace(/^curl/, '')}; do printf '%s\\n' "$word"; done`], {
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');

const curlLines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('  curl '));

describe('the output of a first start', () => {
  const text = welcome({ url, credentialsFile, credentials, password: 's3cret-one' });

  it('has the URL of the server, the path of the credentials, and the random password', () => {
    expect(text).toContain(`Annals is running at ${url}\n`);
    expect(text).toContain(credentialsFile);
    expect(text).toContain('s3cret-one');
  });

  it('has a curl line that sends a message, whatever characters the address has', () => {
    expect(wordsOf(curlLines(text)[0] ?? '')).toEqual([
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
      '--data-urlencode',
      'content=Hello from curl',
    ]);
  });

  it('has a curl line that reads the message back', () => {
    expect(wordsOf(curlLines(text)[1] ?? '')).toEqual(
      expect.arrayContaining(['-G', `${url}/api/v1/messages`, 'anchor=newest', 'num_before=1']),
    );
  });

  it('does not mention a password that was given', () => {
    expect(welcome({ url, credentialsFile, credentials })).not.toContain('password');
  });
});

describe('the output of a later start', () => {
  it('has the URL of the server and the path of the credentials, without any secret', () => {
    expect(welcome({ url, credentialsFile, credentials: null })).toBe(
      `Annals is running at ${url}\nOwner's credentials: ${credentialsFile}\n`,
    );
  });
});

describe('a quoted argument', () => {
  it.each(["it's", '$HOME `id` "x"', "'", 'a\\b', ''])('%j is read by a shell as it was', (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' })).toBe(text);
  });
});
