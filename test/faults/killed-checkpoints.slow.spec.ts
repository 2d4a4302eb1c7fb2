import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseCheckpoint } from '../../src/platform/transparency/signed-note.js';
import { eventually } from '../support/eventually.js';
import { annals } from '../support/servers/command-line.js';
import { type Killing, killedAt, keyedMessage as message, type Side } from '../support/servers/killed-at.js';

const SETTINGS = { ANNALS_SITE: 'https://chat.example.org', ANNALS_CHECKPOINT_SECONDS: '1' };
const NOTE = /[^\n]+\n\d+\n\S+\n\n(?:— .+\n)+/g;

/** Reads the published checkpoint, and adds it to those that were read before. */
async function poll({ api }: Side, polled: string[]): Promise<number> {
  const answer = await fetch(`${api.credentials.site}/transparency/checkpoint`);
  const note = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${note}`);
  if (!polled.includes(note)) polled.push(note);
  return sizeOf(note);
}

const textOf = (note: string): string => `${note.split('\n\n')[0]}\n`;
const sizeOf = (note: string): number => parseCheckpoint(textOf(note)).size;

describe('a server that is killed while it keeps the tree and its checkpoints', () => {
  it.each([
    ['after an event, before the tree has it', 'appended:messages'],
    ['within the transaction of the tree', 'uncommitted:transparency'],
    ['after the transaction of the tree', 'committed:transparency'],
    ['before a checkpoint is noted in documents', 'uncommitted:checkpoints'],
    ['after a checkpoint is noted in documents, before the file has it', 'committed:checkpoints'],
  ])('%s, contradicts no checkpoint that anybody has', (_, point) => {
    const killing: Killing<string[]> = {
      async prepare(side) {
        const polled: string[] = [];
        await side.api.post('messages', message);
        await eventually(() => poll(side, polled));
        return polled;
      },
      async work(side, polled) {
        // Until it is dead: nothing is noted before the log has grown.
        await eventually(async () => {
          const isDead = await side.api.post('messages', message).then(
            () =>
              poll(side, polled).then(
                () => false,
                () => false,
              ),
            () => true,
          );
          if (!isDead) throw new Error('the server lives');
        });
      },
      async left({ dataDirectory }, polled) {
        // What a kill within the append leaves.
        await appendFile(join(dataDirectory, 'checkpoints'), (polled.at(-1) ?? '').slice(0, -30));
      },
      async check(side, polled) {
        const before = Math.max(...polled.map(sizeOf));
        await side.api.post('messages', message);
        await eventually(async () => expect(await poll(side, polled)).toBeGreaterThan(before));
      },
      async stopped({ dataDirectory, environment }, polled) {
        const inFile = (await readFile(join(dataDirectory, 'checkpoints'), 'utf8')).match(NOTE) ?? [];
        expect(inFile.map(sizeOf).at(-1)).toBeGreaterThanOrEqual(Math.max(...polled.map(sizeOf)));
        const roots = new Map(inFile.map((note) => [sizeOf(note), textOf(note)]));
        for (const note of polled) expect(roots.get(sizeOf(note)) ?? textOf(note)).toBe(textOf(note));
        const kept = join(dataDirectory, 'kept');
        await writeFile(kept, polled.join('\n'));
        const { code, stdout, stderr } = await annals(
          ['verify', '--data-dir', dataDirectory, '--checkpoint', kept],
          environment,
        );
        expect({ code, stderr, stdout }).toEqual({
          code: 0,
          stderr: '',
          stdout: expect.stringMatching(/The log is right/),
        });
      },
    };
    return killedAt(point, killing, SETTINGS);
  });
});
