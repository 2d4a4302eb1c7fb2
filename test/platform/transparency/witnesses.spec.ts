import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  CHECKPOINTS_DATABASE,
  COSIGNED,
  type CosignedDocument,
  notedId,
} from '../../../src/platform/transparency/checkpoint.documents.js';
import {
  NoteSigner,
  type NoteVerifier,
  parseCheckpoint,
  parseNote,
} from '../../../src/platform/transparency/signed-note.js';
import { TILES, type TileDocument, TREE_DATABASE } from '../../../src/platform/transparency/tree.documents.js';
import { KeptTree } from '../../support/engines/kept-tree.js';
import { eventually } from '../../support/eventually.js';
import { WitnessServer } from '../../support/outside/witness-server.js';
import { withScratch } from '../../support/scratch.js';

const log = new NoteSigner('chat.example.org/transparency', Buffer.alloc(32, 7)).verifier;

describe('witnesses of a log', () => {
  const running: WitnessServer[] = [];
  afterEach(async () => {
    for (const witness of running.splice(0)) await witness.stop();
  });

  async function witnessed(...names: string[]): Promise<WitnessServer[]> {
    for (const name of names) running.push(await WitnessServer.start(name, () => log));
    return running;
  }

  /** Runs `work` on the tree of the folder's log. */
  async function kept(folder: string, witnesses: WitnessServer[], work: (tree: KeptTree) => Promise<void>) {
    const tree = await KeptTree.open(folder, { witnesses });
    await work(tree).finally(() => tree.close());
  }

  const servedBy = (tree: KeptTree) => tree.published((published) => published.note());
  const reportOf = (tree: KeptTree) => tree.published((published) => published.report());

  const problemOf = async (tree: KeptTree) => (await reportOf(tree))?.witnesses[0]?.problem;

  /** Waits until the checkpoint of so many events is served with the signatures of these keys. */
  const servedWith = (tree: KeptTree, size: number, keys: readonly NoteVerifier[]): Promise<void> =>
    eventually(async () => {
      const note = parseNote((await servedBy(tree)) ?? '');
      expect(parseCheckpoint(note.text).size).toBe(size);
      expect(note.signatures.map(({ name }) => name).sort()).toEqual([log, ...keys].map(({ name }) => name).sort());
      for (const key of [log, ...keys]) expect(key.signedAt(note)).not.toBeNull();
    });

  it('cosign each checkpoint, and the served one has their signatures', () =>
    withScratch(async (folder) => {
      const [one, two] = (await witnessed('one', 'two')) as [WitnessServer, WitnessServer];
      await kept(folder, [one, two], async (tree) => {
        for (const size of [1, 2, 300]) {
          await tree.grow(size - ((await tree.head())?.size ?? 0));
          await tree.reached(size);
          await servedWith(tree, size, [one.key, two.key]);
        }
        expect(await reportOf(tree)).toEqual({
          size: 300,
          alarms: [],
          witnesses: ['one', 'two'].map((name) => ({ name, size: 300, problem: null })),
        });
        expect(tree.problems).toEqual([]);
      });
      expect(one.asked.every(({ status }) => status === 200)).toBe(true);
    }));

  it('are gone on with after a restart, and asked for no checkpoint twice', () =>
    withScratch(async (folder) => {
      const [one] = (await witnessed('one')) as [WitnessServer];
      await kept(folder, [one], async (tree) => {
        await tree.grow(5);
        await tree.reached(5);
        await servedWith(tree, 5, [one.key]);
      });
      const before = one.asked.length;
      await kept(folder, [one], async (tree) => {
        await servedWith(tree, 5, [one.key]);
        await tree.grow(3);
        await tree.reached(8);
        await servedWith(tree, 8, [one.key]);
      });
      const after = one.asked.slice(before);
      expect(after[0]).toEqual({ old: 5, status: 200 });
      expect(after.every(({ status }) => status === 200)).toBe(true);
    }));

  it('are asked again from the size that they know, if documents are lost', () =>
    withScratch(async (folder) => {
      const [one] = (await witnessed('one')) as [WitnessServer];
      const grow = (tree: KeptTree, to: number) => async () => {
        await tree.grow(5);
        await tree.reached(to);
        await servedWith(tree, to, [one.key]);
      };
      await kept(folder, [one], (tree) => grow(tree, 5)());
      const before = one.asked.length;
      await rm(join(folder, 'documents'), { recursive: true });
      await kept(folder, [one], (tree) => grow(tree, 10)());
      expect(one.asked.slice(before, before + 2)).toEqual([
        { old: 0, status: 409 },
        { old: 5, status: 200 },
      ]);
    }));

  it('that are named no more are forgotten, with their signatures', () =>
    withScratch(async (folder) => {
      const [one, two] = (await witnessed('one', 'two')) as [WitnessServer, WitnessServer];
      await kept(folder, [one, two], async (tree) => {
        await tree.grow(5);
        await tree.reached(5);
        await servedWith(tree, 5, [one.key, two.key]);
      });
      await kept(folder, [two], async (tree) => {
        await eventually(async () =>
          expect((await reportOf(tree))?.witnesses).toEqual([{ name: 'two', size: 5, problem: null }]),
        );
      });
      await kept(folder, [], async (tree) => {
        await servedWith(tree, 5, []);
        expect((await reportOf(tree))?.witnesses).toEqual([]);
      });
    }));

  it('that are too slow have nothing served from long ago', () =>
    withScratch(async (folder) => {
      const [one] = (await witnessed('one')) as [WitnessServer];
      await kept(folder, [one], async (tree) => {
        await tree.grow(1);
        await tree.reached(1);
        await servedWith(tree, 1, [one.key]);
        one.fault = { status: 500, body: '' };
        await tree.grow(1);
        await tree.reached(2);
        await eventually(async () => expect(await problemOf(tree)).toContain('the status 500'));
        await servedWith(tree, 1, [one.key]);
        const database = await tree.documents.database(CHECKPOINTS_DATABASE);
        const superseded = { $set: { supersededAt: Date.now() - 61_000 } };
        await database.collection<CosignedDocument>(COSIGNED).updateOne({ _id: notedId(String(log), 1) }, superseded);
        await database.close();
        await servedWith(tree, 2, []);
      });
    }));

  describe('of which one fails', () => {
    const LONG = 'x'.repeat(100_000);
    it.each([
      ['is silent', 'silent', null],
      ['gives a false signature', 'false signature', 'its cosignature is wrong'],
      ['answers rubbish', { status: 200, body: 'rubbish' }, 'its answer has no cosignature of its key'],
      ['answers without end', { status: 200, body: LONG }, 'its answer has no cosignature of its key'],
      ['does not know the log', { status: 404, body: '' }, 'it does not know the log, or the URL is wrong'],
      ['does not know the key', { status: 403, body: '' }, "it does not know the log's key"],
      ['is broken', { status: 500, body: '' }, 'its answer has the status 500'],
      ['sends elsewhere', { status: 302, body: '' }, 'its answer has the status 302'],
      ['says no size', { status: 409, body: 'rubbish\n' }, 'its answer has the status 409'],
      ['says the size it was told', { status: 409, body: '0\n' }, /^it answers that it has cosigned 0 events/],
    ] as const)('one that %s keeps neither the tree nor another from its work', (_, fault, problem) =>
      withScratch(async (folder) => {
        const [one, two] = (await witnessed('one', 'two')) as [WitnessServer, WitnessServer];
        one.fault = fault;
        await kept(folder, [one, two], async (tree) => {
          for (const size of [1, 2]) {
            await tree.grow(1);
            await tree.reached(size);
            await servedWith(tree, size, [two.key]);
          }
          if (problem === null) return;
          const said = problem instanceof RegExp ? expect.stringMatching(problem) : problem;
          await eventually(async () =>
            expect((await reportOf(tree))?.witnesses).toContainEqual({ name: 'one', size: 0, problem: said }),
          );
          expect((await reportOf(tree))?.alarms).toEqual([]);
          // A lie with the right key is refused as long as it lasts: the witness has come further than it was told.
          one.fault = null;
          await servedWith(tree, 2, [one.key, two.key]);
          expect((await reportOf(tree))?.witnesses).toContainEqual({ name: 'one', size: 2, problem: null });
          // Each reason is told once. There is another one if this process stood still, and lost its connection.
          expect(tree.problems.length).toBe(new Set(tree.problems).size);
          for (const told of [tree.problems[0], ...tree.problems])
            expect(told).toContain('the witness one does not cosign, trying again: ');
        });
      }),
    );

    it('one that was down cosigns the newest checkpoint when it is back', () =>
      withScratch(async (folder) => {
        const [one] = (await witnessed('one')) as [WitnessServer];
        await one.stop();
        await kept(folder, [one], async (tree) => {
          await tree.grow(1);
          await tree.reached(1);
          await servedWith(tree, 1, []);
          await eventually(() => expect(tree.problems).toEqual([expect.stringContaining('there is no connection')]));
          await tree.grow(4);
          await tree.reached(5);
          await one.listen();
          await servedWith(tree, 5, [one.key]);
          expect(one.last.size).toBe(5);
        });
      }));
  });

  describe('tell of a log that was changed', () => {
    /** A log with 20 events, cosigned, that goes back to a backup of 10 and grows otherwise. All that was signed is forgotten. */
    async function forked(folder: string, witness: WitnessServer, to: number, work: (tree: KeptTree) => Promise<void>) {
      const [file, backup] = [join(folder, 'log.sqlite'), join(folder, 'backup')];
      const cosigned = (size: number) => async (tree: KeptTree) => {
        await tree.grow(10);
        await tree.reached(size);
        await servedWith(tree, size, [witness.key]);
      };
      await kept(folder, [witness], cosigned(10));
      await cp(file, backup);
      await kept(folder, [witness], cosigned(20));
      await cp(backup, file);
      await rm(join(folder, 'checkpoints'));
      await rm(join(folder, 'documents'), { recursive: true });
      await kept(folder, [witness], async (tree) => {
        await tree.grow(to - 10);
        await tree.reached(to);
        await work(tree);
      });
    }

    it('until they cosign again', () =>
      withScratch(async (folder) => {
        const [one] = (await witnessed('one')) as [WitnessServer];
        one.fault = { status: 422, body: '' };
        const alarmsOf = async (tree: KeptTree) => (await reportOf(tree))?.alarms;
        await kept(folder, [one], async (tree) => {
          await tree.grow(5);
          await tree.reached(5);
          await eventually(async () => expect(await alarmsOf(tree)).toHaveLength(1));
          // The log itself contradicts nothing.
          expect(await tree.published((published) => published.reasonUnsigned())).toBeNull();
        });
        one.fault = null;
        await kept(folder, [one], async (tree) => {
          await servedWith(tree, 5, [one.key]);
          await eventually(async () => expect(await alarmsOf(tree)).toEqual([]));
        });
      }));

    it('and not of one whose tiles are damaged', () =>
      withScratch(async (folder) => {
        const [one] = (await witnessed('one')) as [WitnessServer];
        await kept(folder, [one], async (tree) => {
          await tree.grow(10);
          await tree.reached(10);
          await servedWith(tree, 10, [one.key]);
          one.fault = { status: 500, body: '' };
          await tree.grow(290);
          await tree.reached(300);
          await eventually(async () => expect(await problemOf(tree)).toContain('the status 500'));
          const database = await tree.documents.database(TREE_DATABASE);
          const bytes = Buffer.alloc(44 * 32).toString('base64');
          await database
            .collection<TileDocument>(TILES)
            .replaceOne({ _id: 'tile/0/001' }, { _id: 'tile/0/001', bytes });
          await database.close();
          one.fault = null;
          await eventually(async () => expect(await problemOf(tree)).toBe('the stored tree is damaged'));
          expect((await reportOf(tree))?.alarms).toEqual([]);
        });
      }));

    it.each([
      ['has as many events', 20, /it refuses the proof that the log's 20 events continue the 20/],
      ['has more events', 30, /it refuses the proof that the log's 30 events continue the 20/],
      ['has fewer events', 15, /it has cosigned 20 events, and the log has 15/],
    ])('that %s', (_, to, reason) =>
      withScratch(async (folder) => {
        const [one] = (await witnessed('one')) as [WitnessServer];
        await forked(folder, one, to, async (tree) => {
          // Smaller checkpoints on the way are refused in their own words.
          await eventually(async () => {
            const report = await reportOf(tree);
            expect(report?.alarms).toEqual([
              expect.stringMatching(/^the witness one says that the log was changed: it /),
            ]);
            expect(report?.witnesses).toEqual([{ name: 'one', size: 0, problem: expect.stringMatching(/^it /) }]);
          });
          await servedWith(tree, to, []);
          expect(tree.problems).toEqual([expect.stringContaining('the witness one says that the log was changed')]);
        });
        // The next start asks again.
        await kept(folder, [one], async (tree) => {
          await eventually(async () =>
            expect((await reportOf(tree))?.witnesses).toEqual([
              { name: 'one', size: 0, problem: expect.stringMatching(reason) },
            ]),
          );
          expect((await reportOf(tree))?.alarms).toHaveLength(1);
        });
        expect(one.last.size).toBe(20);
      }),
    );
  });
});
