import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ROOT } from '../../../scripts/transpile.js';
import { type ProveOptions, runProve } from '../../../src/app/cli/prove.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { existingSigner, originOf } from '../../../src/platform/transparency/open-signer.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const VERIFY = join(ROOT, 'bin/verify.mjs');
const SITE = 'https://chat.example.org';

interface Said {
  readonly code: number;
  readonly text: string;
}

describe('proofs that the log has events', () => {
  let engines: OwnEngines;
  let annals: Annals;
  let owner: Member;
  let key: string;
  const messageIds: number[] = [];

  beforeAll(async () => {
    engines = await ownEngines();
    annals = await Annals.on(engines, { ANNALS_SITE: SITE });
    owner = await annals.owner();
    await annals.user('iris');
    for (let n = 0; n < 6; n++) {
      const { body } = await owner.api.post('/messages', {
        type: 'stream',
        to: 'general',
        topic: `topic ${n % 2}`,
        content: 'words',
      });
      messageIds.push(body.id);
    }
    await owner.api.patch(`/messages/${messageIds[1]}`, { content: 'other words' });
    await owner.api.patch(`/messages/${messageIds[1]}`, { topic: 'moved', propagate_mode: 'change_one' });
    await annals.app.get(PublishedTree).reach(await annals.head(), 60_000);
    const signer = await existingSigner(annals.app.get<ContentKeys>(CONTENT_KEYS), {
      origin: originOf(SITE),
      keyFile: null,
      restored: null,
    });
    key = String(signer?.verifier);
  });
  afterAll(() => annals.stop());

  const file = (name: string): string => join(engines.dataDirectory, name);
  async function proven(options: ProveOptions): Promise<string> {
    await runProve(engines.settings, { ...options, output: file('proofs') }, process.stdout);
    return readFile(file('proofs'), 'utf8');
  }
  async function verified(text: string, words: readonly string[] = ['--key', key]): Promise<Said> {
    await writeFile(file('given'), text);
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [VERIFY, file('given'), ...words]);
      return { code: 0, text: stdout.trim() };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, text: stderr.trim() };
    }
  }
  const eventsOf = async () =>
    (await annals.app.get<EventStore>(EVENT_STORE).readAll({ after: START, limit: 1000 })).events;

  it('are right for every event of a message', async () => {
    const text = await proven({ message: messageIds[1] ?? 0 });
    const { proofs } = JSON.parse(text) as { proofs: { event: { type: string } }[] };
    expect(proofs.map(({ event }) => event.type)).toEqual(['MessageSent', 'MessageEdited', 'MessagesMoved']);
    const { code, text: said } = await verified(text);
    expect(code).toBe(0);
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/^MessageSent .* \(messages@1\) is event \d+ of \d+$/),
      expect.stringMatching(/^MessageEdited /),
      expect.stringMatching(/^MessagesMoved /),
    ]);
  });

  it('have what was said, if they are asked for with words', async () => {
    const without = await proven({ message: messageIds[1] ?? 0 });
    expect(without).not.toContain('content_key');
    const { code, text: said } = await verified(await proven({ message: messageIds[1] ?? 0, words: true }));
    expect(code).toBe(0);
    expect(said).toMatch(/: "words"\nMessageEdited .*\n.*: "other words"\nMessagesMoved [^\n]*$/);
  });

  it('hide hashes, and prove the leaf then', async () => {
    const issued = (await eventsOf()).find(({ type }) => type === 'ApiKeyIssued');
    const text = await proven({ event: issued?.id ?? '' });
    expect(text).not.toContain(String(issued?.data.keyHash));
    expect(await verified(text)).toEqual({
      code: 0,
      text: expect.stringContaining('of which data.keyHash is hidden: only its leaf is proved'),
    });
  });

  it('fail for whatever is changed in them', async () => {
    const moved = (await eventsOf()).find(({ type }) => type === 'MessagesMoved');
    const text = await proven({ event: moved?.id ?? '' });
    expect((await verified(text.replace('"moved"', '"elsewhere"'))).text).toMatch(/is changed, or is not leaf/);
    expect((await verified(text.replace(/index \d+/, 'index 3'))).text).toMatch(/its proof fails/);
    expect((await verified(text.replace(SITE.slice(8), 'chat.example.com'))).text).toMatch(
      /not one of chat\.example\.org/,
    );
    const other = key.replace(/\+[0-9a-f]{8}\+/, '+00000000+');
    expect((await verified(text, ['--key', other])).text).toMatch(/is no verifier key/);
    expect(await verified(text, [])).toEqual({ code: 2, text: expect.stringMatching(/^Usage: /) });
  });

  it('are compared with a checkpoint of the same size that was kept', async () => {
    const text = await proven({ message: messageIds[0] ?? 0 });
    const [, note = ''] = (JSON.parse(text).proofs[0].proof as string).split(/\n\n(.*)/s);
    await writeFile(file('kept'), note);
    const words = ['--key', key, '--checkpoint', file('kept')];
    expect((await verified(text, words)).code).toBe(0);
    await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'later' });
    await annals.app.get(PublishedTree).reach(await annals.head(), 60_000);
    expect(await verified(await proven({ message: messageIds[0] ?? 0 }), words)).toEqual({
      code: 1,
      text: expect.stringContaining('cannot be compared'),
    });
  });

  it('are refused for what is not there', async () => {
    await expect(proven({ event: 'none' })).rejects.toThrow('the log has no event none');
    await expect(proven({ message: 999 })).rejects.toThrow('there is no message 999');
    await expect(proven({})).rejects.toThrow('what is to be proved?');
  });

  describe('of the whole log', () => {
    let lines: string[];
    /** The line of the first event. */
    let first: number;

    beforeAll(async () => {
      lines = (await proven({ all: true })).trimEnd().split('\n');
      first = lines.findIndex((line) => line.startsWith('{"data"'));
    });

    const nameIn = (line = ''): string => {
      const { type, id, stream, revision } = JSON.parse(line);
      return `${type} ${id} (${stream}@${revision})`;
    };
    const count = (): number => lines.length - first;
    const changed = (change: (events: string[]) => void): string => {
      const events = lines.slice(first);
      change(events);
      return [...lines.slice(0, first), ...events].join('\n');
    };

    it('are right, and agree with a checkpoint that was kept', async () => {
      const said = `all ${count()} events are those of the checkpoint, in its order`;
      expect(await verified(lines.join('\n'))).toEqual({ code: 0, text: said });
      const { checkpoint } = JSON.parse(lines[0] ?? '');
      await writeFile(file('kept'), checkpoint);
      expect(await verified(lines.join('\n'), ['--key', key, '--checkpoint', file('kept')])).toEqual({
        code: 0,
        text: said,
      });
    });

    it('name the event that is changed, missing, added or out of order', async () => {
      const at = 4;
      const foreign = lines[first + at]?.replace(/"revision":\d+/, '"revision":77') ?? '';
      const found = async (change: (events: string[]) => void) => (await verified(changed(change))).text;
      expect(await found((events) => events.splice(at, 1, foreign))).toBe(
        `changed: event ${at + 1} of the log, here ${nameIn(foreign)}`,
      );
      expect(await found((events) => events.splice(at, 1))).toBe(`missing: event ${at + 1} of the log`);
      expect(await found((events) => events.splice(at, 0, foreign))).toBe(
        `added: ${nameIn(foreign)}, after event ${at} of the log`,
      );
      expect(await found((events) => events.push(...events.splice(at, 1)))).toBe(
        `out of order: ${nameIn(lines[first + at])}, event ${at + 1} of the log`,
      );
      expect(await found((events) => events.splice(-3))).toBe(
        [count() - 2, count() - 1, count()].map((n) => `missing: event ${n} of the log`).join('\n'),
      );
    });

    it('fail when the list of leaves or the checkpoint is changed with them', async () => {
      const { leaves } = JSON.parse(lines[1] ?? '') as { leaves: string[] };
      const without = [lines[0], JSON.stringify({ leaves: leaves.slice(0, -1) }), ...lines.slice(2, -1)].join('\n');
      expect((await verified(without)).text).toMatch(/the list of leaves is changed/);
      const { checkpoint } = JSON.parse(lines[0] ?? '') as { checkpoint: string };
      const smaller = checkpoint.replace(/^\d+$/m, String(count() - 1));
      const forged = [JSON.stringify({ format: 'annals-log', checkpoint: smaller }), ...lines.slice(1)].join('\n');
      expect((await verified(forged)).text).toMatch(/the signature of .* is wrong/);
    });

    it('find every flipped character of an event', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(count() - 1), fc.double({ min: 0, max: 0.999, noNaN: true }), async (at, part) => {
          const line = lines[first + at] ?? '';
          const place = Math.floor(part * line.length);
          const character = /[a-y0-8]/.exec(line.slice(place));
          if (!character) return;
          const where = place + character.index;
          const flipped =
            line.slice(0, where) + String.fromCharCode(line.charCodeAt(where) + 1) + line.slice(where + 1);
          const { code, text } = await verified(changed((events) => events.splice(at, 1, flipped)));
          expect(code).toBe(1);
          if (!text.startsWith('cannot be checked'))
            expect(text).toMatch(new RegExp(`^changed: event ${at + 1} of the log`));
        }),
        { numRuns: 25 },
      );
    });
  });
});
