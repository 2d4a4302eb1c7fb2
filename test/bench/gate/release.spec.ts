import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commitOf, lastRelease } from '../../../bench/gate/release.js';
import { withScratch } from '../../support/scratch.js';

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' }).trim();

/** Commits a `package.json`, and tells the commit. */
async function commit(folder: string, version: string, script: string): Promise<string> {
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ name: 'x', version, scripts: { script } }, null, 2)}\n`,
  );
  git(folder, 'add', '.');
  const author = ['-c', 'user.name=someone', '-c', 'user.email=someone@example.com'];
  git(folder, ...author, 'commit', '--quiet', '--message', `${version} ${script}`);
  return git(folder, 'rev-parse', 'HEAD');
}

describe('the last release', () => {
  it('is the commit that set the version, and for itself the one before', async () => {
    await withScratch(async (folder) => {
      expect(lastRelease(folder)).toBeNull();
      execFileSync('git', ['init', '--quiet', folder]);
      expect(lastRelease(folder)).toBeNull();
      await commit(folder, '0.1.0', 'a');
      const first = await commit(folder, '0.2.0', 'a');
      expect(lastRelease(folder)).toBeNull();
      await commit(folder, '0.2.0', 'b');
      expect(lastRelease(folder)).toBe(first);
      const second = await commit(folder, '0.3.0', 'b');
      expect(lastRelease(folder)).toBe(first);
      await commit(folder, '0.3.0', 'c');
      expect(lastRelease(folder)).toBe(second);
      expect(commitOf(folder, 'HEAD~1')).toBe(second);
      expect(() => commitOf(folder, 'nothing')).toThrow('the history has no commit nothing');
    });
  });

  it('is unknown to a clone whose history does not reach it', async () => {
    await withScratch(async (folder) => {
      const whole = join(folder, 'whole');
      execFileSync('git', ['init', '--quiet', whole]);
      await commit(whole, '0.1.0', 'a');
      await commit(whole, '0.2.0', 'a');
      for (const script of ['b', 'c', 'd']) await commit(whole, '0.2.0', script);
      for (const depth of [1, 3, 4]) {
        const shallow = join(folder, `shallow-${depth}`);
        execFileSync('git', ['clone', '--quiet', '--depth', String(depth), `file://${whole}`, shallow]);
        expect(lastRelease(shallow)).toBeNull();
      }
    });
  });
});
