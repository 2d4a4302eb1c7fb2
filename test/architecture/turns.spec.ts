import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isSlow, specsOf } from '../../scripts/jest.js';
import { inTurn } from '../../scripts/spec-groups.js';
import { checksInTurn, thirdOf, turnOf } from '../../scripts/turn.js';
import { withScratch } from '../support/scratch.js';

const TURNS = ['1/6', '2/6', '3/6', '4/6', '5/6', '6/6'];
const THIRDS = ['1/3', '2/3', '3/3'];

async function commit(folder: string, file: string, text: string): Promise<void> {
  await writeFile(join(folder, file), text);
  execFileSync('git', ['-C', folder, 'add', '.']);
  const author = ['-c', 'user.name=someone', '-c', 'user.email=someone@example.com'];
  execFileSync('git', ['-C', folder, ...author, 'commit', '--quiet', '--message', text]);
}

describe('turns', () => {
  it('are all taken by commits that follow each other', async () => {
    await withScratch(async (folder) => {
      execFileSync('git', ['init', '--quiet', folder]);
      const turns: string[] = [];
      for (let n = 0; n < 12; n++) {
        await commit(folder, 'file', `commit ${n}`);
        turns.push(turnOf(folder), turnOf(folder));
      }
      for (let first = 0; first < 7; first++)
        expect(turns.slice(2 * first, 2 * first + 12).toSorted()).toEqual([...TURNS, ...TURNS].toSorted());
    });
  });

  it('are one for everything with a new version, and without commits', async () => {
    await withScratch(async (folder) => {
      expect(turnOf(folder)).toBe('1/1');
      execFileSync('git', ['init', '--quiet', folder]);
      await commit(folder, 'package.json', '{\n  "version": "0.1.0"\n}\n');
      expect(turnOf(folder)).toBe('2/6');
      await commit(folder, 'package.json', '{\n  "version": "0.2.0"\n}\n');
      expect(turnOf(folder)).toBe('1/1');
    });
  });

  it('are known to a clone of one commit', async () => {
    await withScratch(async (folder) => {
      execFileSync('git', ['init', '--quiet', join(folder, 'whole')]);
      for (let n = 0; n < 2; n++) await commit(join(folder, 'whole'), 'file', `commit ${n}`);
      const [whole, shallow] = [`file://${join(folder, 'whole')}`, join(folder, 'shallow')];
      execFileSync('git', ['clone', '--quiet', '--depth', '1', whole, shallow]);
      expect(TURNS).toContain(turnOf(shallow));
    });
  });

  it('have each check and each spec once', async () => {
    for (const turns of [TURNS.slice(0, 3), TURNS.slice(2, 5), TURNS.slice(3)]) {
      expect(turns.flatMap((turn) => checksInTurn(['a', 'b', 'c'], turn)).toSorted()).toEqual(['a', 'b', 'c']);
      expect(turns.map(thirdOf).toSorted()).toEqual(THIRDS);
    }
    expect(thirdOf('1/1')).toBe('1/1');
    expect(checksInTurn(['a', 'b', 'c'], '1/1')).toEqual(['a', 'b', 'c']);
    const slow = (await specsOf()).filter(isSlow);
    for (const specs of [slow, slow.slice(0, 2), []]) {
      const turns = await Promise.all(TURNS.map((turn) => inTurn(specs, turn)));
      expect(turns.flat().toSorted()).toEqual([...specs]);
    }
  });
});
