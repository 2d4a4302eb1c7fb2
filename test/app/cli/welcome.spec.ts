import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { quoted, welcome } from '../../../src/app/cli/welcome.js';

const url = 'http://127.0.0.1:9991';
const credentialsFile = '/srv/annals/owner.zuliprc';
const credentials = { email: "o'brien@example.com", key: 'k'.repeat(32), site: url };

/** The words that a shell makes of a line. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${line.trim().replace(/^curl/, '')}; do printf '%s\\n' "$word"; done`], {
    encoding: 'utf8',
  })
    .trimEnd()
    .split('\n');

const curlLines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('  curl '));

describe('the output of a first start', () => {
  const text = welcome({ url, credentialsFile, credentials, password: 's3cret-one' });

  it('tells where the server is, where the credentials are, and the random password', () => {
    expect(text).toContain(`Annals is running at ${url}\n`);
    expect(text).toContain(credentialsFile);
    expect(text).toContain('s3cret-one');
  });

  it('holds a line that sends a message, whatever is in the address', () => {
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

  it('holds a line that reads it back', () => {
    expect(wordsOf(curlLines(text)[1] ?? '')).toEqual(
      expect.arrayContaining(['-G', `${url}/api/v1/messages`, 'anchor=newest', 'num_before=1']),
    );
  });

  it('says nothing of a password that was given', () => {
    expect(welcome({ url, credentialsFile, credentials })).not.toContain('password');
  });
});

describe('the output of a later start', () => {
  it('is where the server and the credentials are, without any secret', () => {
    expect(welcome({ url, credentialsFile, credentials: null })).toBe(
      `Annals is running at ${url}\nOwner's credentials: ${credentialsFile}\n`,
    );
  });
});

describe('a quoted word', () => {
  it.each(["it's", '$HOME `id` "x"', "'", 'a\\b', ''])('%j comes out of a shell as it went in', (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' })).toBe(text);
  });
});
