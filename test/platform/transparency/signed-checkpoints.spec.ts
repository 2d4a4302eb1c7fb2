import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { CHECKPOINTS_DATABASE } from '../../../src/platform/transparency/checkpoint.documents.js';
import { keepSignedHead } from '../../../src/platform/transparency/checkpoint-store.js';
import { TREE_DATABASE } from '../../../src/platform/transparency/tree.documents.js';
import { KeptTree, type KeptTreeOptions } from '../../support/engines/kept-tree.js';
import { eventually } from '../../support/eventually.js';
import { withScratch } from '../../support/scratch.js';

const sizesIn = async (file: string): Promise<number[]> =>
  [...(await readFile(file, 'utf8')).matchAll(/^chat\.example\.org\/transparency\n(\d+)\n.+\n\n— .+\n\n/gm)].map(
    ([, size]) => Number(size),
  );

/** Runs `work` on the tree of the folder's log. */
async function kept<T>(
  folder: string,
  work: (tree: KeptTree) => Promise<T>,
  options: KeptTreeOptions = {},
): Promise<T> {
  const tree = await KeptTree.open(folder, options);
  return work(tree).finally(() => tree.close());
}

const grownTo = (folder: string, by: number, size: number, options: KeptTreeOptions = {}) =>
  kept(
    folder,
    async (tree) => {
      await tree.grow(by);
      return tree.reached(size);
    },
    options,
  );

/** A folder whose log is signed with 300 events, after a backup with 200. */
async function signedBeyond(folder: string): Promise<{ readonly restore: () => Promise<void>; readonly root: string }> {
  await grownTo(folder, 200, 200);
  const [log, backup] = [join(folder, 'log.sqlite'), join(folder, 'backup')];
  await cp(log, backup);
  const { root } = await grownTo(folder, 100, 300);
  return { restore: () => cp(backup, log), root };
}

describe('checkpoints of a log', () => {
  it('are noted at the end, in a file that only grows', () =>
    withScratch(async (folder) => {
      await grownTo(folder, 3, 3);
      await grownTo(folder, 0, 3);
      await grownTo(folder, 2, 5);
      // The first step of a tree is noted at once. On a busy machine, it may not have all three.
      const sizes = await sizesIn(join(folder, 'checkpoints'));
      expect(sizes.filter((size) => size > 2)).toEqual([3, 5]);
      expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
    }));

  it('are noted while the log grows, not oftener than they may be', () =>
    withScratch((folder) =>
      kept(
        folder,
        async (tree) => {
          await tree.grow(1);
          await eventually(async () => expect((await sizesIn(tree.file.path))[0]).toBe(1));
          await tree.grow(1);
          await tree.reached(2);
          await tree.grow(1);
          await tree.reached(3);
          await eventually(async () => expect(await sizesIn(tree.file.path)).toEqual([1, 3]));
        },
        { noteEvery: 1500 },
      ),
    ));

  it('are read from a file whose last note was cut short, and follow it', () =>
    withScratch(async (folder) => {
      const path = join(folder, 'checkpoints');
      await grownTo(folder, 3, 3);
      const whole = await readFile(path, 'utf8');
      for (const cut of [whole.slice(0, 40), whole.slice(0, -20), 'chat.example.org/transparency\n9\n']) {
        await writeFile(path, whole + cut);
        await kept(folder, async ({ file, signer }) => expect((await file.last(signer.verifier))?.size).toBe(3));
      }
      await appendFile(path, whole.slice(0, -1));
      await grownTo(folder, 1, 4);
      expect((await sizesIn(path)).at(-1)).toBe(4);
    }));
});

it('the tree waits for documents that another process holds at the start', () =>
  withScratch(async (folder) => {
    await grownTo(folder, 3, 3);
    const holder = new SqliteConnection(join(folder, 'documents', 'transparency.sqlite'));
    holder.exec('BEGIN EXCLUSIVE');
    try {
      await kept(folder, async (tree) => {
        await tree.grow(2);
        await eventually(async () =>
          expect(tree.problems).toMatchObject({ 0: expect.stringContaining('SQLITE_BUSY') }),
        );
        holder.exec('COMMIT');
        await tree.reached(5);
      });
    } finally {
      holder.close();
    }
  }));

describe('a log that contradicts a signed checkpoint', () => {
  it('is not signed while it is shorter, nor when it has grown past it', () =>
    withScratch(async (folder) => {
      const { restore, root } = await signedBeyond(folder);
      await restore();
      // As the start does with another log.
      const documents = await SqliteDocumentStore.open(folder);
      await keepSignedHead(documents);
      await documents.dropDatabase(TREE_DATABASE);
      await documents.close();
      await kept(folder, async (tree) => {
        expect((await tree.reached(200)).note).toBeNull();
        const shorter = `it has 200 events, and a checkpoint of 300 events with the root ${root} was signed earlier`;
        expect(tree.problems).toEqual([expect.stringContaining(shorter)]);
        expect(await tree.published((published) => published.report())).toEqual({
          size: null,
          alarms: [expect.stringContaining(shorter)],
          witnesses: [],
        });
        await tree.grow(150);
        expect((await tree.reached(350)).note).toBeNull();
        expect(tree.problems).toEqual([
          expect.stringContaining(shorter),
          expect.stringMatching(/its first 300 events with the root \S+, and a checkpoint of 300 events with the root/),
        ]);
      });
      await kept(folder, async (tree) => {
        await tree.grow(1);
        expect((await tree.reached(351)).note).toBeNull();
        expect(tree.problems).toHaveLength(1);
      });
      expect((await sizesIn(join(folder, 'checkpoints'))).slice(-2)).toEqual([200, 300]);
    }));

  it.each([
    ['the tree alone', ['checkpoints', `documents/${CHECKPOINTS_DATABASE}`]],
    ['the database alone', ['checkpoints', `documents/${TREE_DATABASE}`]],
    ['the file alone', ['documents']],
  ])('is known by %s', (_, lost) =>
    withScratch(async (folder) => {
      const { restore } = await signedBeyond(folder);
      await restore();
      for (const path of lost)
        for (const suffix of ['', '.sqlite']) await rm(join(folder, path + suffix), { recursive: true, force: true });
      const documents = await SqliteDocumentStore.open(folder);
      await keepSignedHead(documents);
      await documents.dropDatabase(TREE_DATABASE);
      await documents.close();
      await kept(folder, async (tree) => {
        expect((await tree.reached(200)).note).toBeNull();
        expect(tree.problems).toEqual([expect.stringContaining('a checkpoint of 300 events')]);
      });
    }),
  );

  const signedAs = async (name: string, tree: KeptTree) =>
    expect((await tree.reached(200)).note).toMatch(new RegExp(`^${name}\\.example\\.org`));

  it('is signed under no other name, and again once the right log is back', () =>
    withScratch(async (folder) => {
      const { restore, root } = await signedBeyond(folder);
      const right = join(folder, 'right');
      await cp(join(folder, 'log.sqlite'), right);
      await restore();
      await rm(join(folder, 'documents'), { recursive: true });
      await kept(folder, async (tree) => expect((await tree.reached(200)).note).toBeNull());
      const other = { name: 'other.example.org/transparency' };
      await kept(
        folder,
        async (tree) => {
          await eventually(async () =>
            expect(tree.problems).toEqual([
              expect.stringContaining('a signed checkpoint of chat.example.org/transparency: it has 200 events'),
            ]),
          );
          expect((await tree.reached(200)).note).toBeNull();
          expect(await tree.published((published) => published.reasonUnsigned())).toContain('it has 200 events');
        },
        other,
      );
      const givenUp = [{ size: 300, root, name: '0123456789abcdef' }];
      await kept(folder, (tree) => eventually(() => signedAs('other', tree)), { ...other, givenUp });
      await cp(right, join(folder, 'log.sqlite'));
      await kept(folder, async (tree) => {
        expect((await tree.reached(300)).note).toMatch(/^chat\.example\.org\/transparency\n300\n/);
        expect(await tree.published((published) => published.report())).toEqual({
          size: 300,
          alarms: [],
          witnesses: [],
        });
        expect(tree.problems).toEqual([]);
      });
    }));
});
