import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ByteRange, FileStore } from '../../src/platform/file-store/file-store.js';

export interface OpenedFileStore {
  readonly files: FileStore;
  /** The same store, so much later that files not kept are abandoned. */
  later(): Promise<FileStore>;
  cleanup(): Promise<void>;
}

/** Adapters list at most 1,000 files at once. */
const MORE_THAN_A_PAGE = 1_100;

const newName = (): string => randomBytes(18).toString('base64url');

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('half of ');
  throw new Error('the client has hung up');
}

/** The contract of the FileStore port, for every adapter. */
export function fileStoreContract(name: string, open: () => Promise<OpenedFileStore>): void {
  describe(`uploaded files on ${name}`, () => {
    let opened: OpenedFileStore;
    let files: FileStore;
    beforeAll(async () => {
      opened = await open();
      files = opened.files;
    });
    afterAll(() => opened.cleanup());

    const received = async (bytes: Buffer): Promise<string> => {
      const file = newName();
      await files.receive(file, inPieces(bytes, 70_001));
      return file;
    };
    const contentOf = async (file: string, range?: ByteRange, store = files): Promise<Buffer | null> => {
      const found = await store.read(file, range);
      return found && buffer(found.content);
    };

    it('returns a received file, before and after it is kept', async () => {
      const bytes = randomBytes(1_000_003);
      const file = await received(bytes);
      expect((await contentOf(file))?.equals(bytes)).toBe(true);

      await files.commit(file);

      expect((await contentOf(file))?.equals(bytes)).toBe(true);
      expect((await files.read(file))?.size).toBe(1_000_003);
    });

    it('stores an empty file', async () => {
      const file = await received(Buffer.alloc(0));
      await files.commit(file);
      expect(await files.read(file)).toMatchObject({ size: 0 });
      expect(await contentOf(file)).toEqual(Buffer.alloc(0));
    });

    it('returns any range of bytes of a file', async () => {
      const bytes = randomBytes(600_000);
      const file = await received(bytes);
      for (const [start, end] of [
        [0, 0],
        [1, 299_999],
        [261_119, 261_121],
        [599_999, 599_999],
      ] as const) {
        expect((await contentOf(file, { start, end }))?.equals(bytes.subarray(start, end + 1))).toBe(true);
        expect((await files.read(file, { start, end }))?.size).toBe(600_000);
      }
    });

    it('accepts calls for a file that was never received, and finds nothing', async () => {
      expect(await files.read(newName())).toBeNull();
      await files.commit(newName());
      await files.remove([newName()]);
    });

    it('stores nothing of a file whose content breaks off, and throws the cause', async () => {
      const file = newName();
      await expect(files.receive(file, broken())).rejects.toThrow('the client has hung up');
      expect(await files.read(file)).toBeNull();
      expect(await (await opened.later()).abandoned()).not.toContain(file);
    });

    it('removes files, whether they were kept or not', async () => {
      const kept = await received(Buffer.from('kept'));
      await files.commit(kept);
      const fresh = await received(Buffer.from('fresh'));
      const other = await received(Buffer.from('other'));

      await files.remove([kept, fresh, newName()]);

      expect(await files.read(kept)).toBeNull();
      expect(await files.read(fresh)).toBeNull();
      expect(await contentOf(other)).toEqual(Buffer.from('other'));
      await files.remove([kept]);
    });

    describe('derived from another', () => {
      const derivedOf = async (file: string, variant: string): Promise<Buffer | null> => {
        const found = await files.readDerived(file, variant);
        return found && buffer(found.content);
      };

      it('are returned by their variants, and replaced', async () => {
        const file = await received(Buffer.from('original'));
        expect(await files.readDerived(file, '10x10')).toBeNull();

        expect(await files.storeDerived(file, '10x10', Buffer.from('first'))).toBe(true);
        await files.commit(file);
        expect(await files.storeDerived(file, '10x10', Buffer.from('small'))).toBe(true);
        expect(await files.storeDerived(file, '10x10-moving', randomBytes(2_000_000))).toBe(true);

        expect(await derivedOf(file, '10x10')).toEqual(Buffer.from('small'));
        expect((await files.readDerived(file, '10x10-moving'))?.size).toBe(2_000_000);
        expect(await contentOf(file)).toEqual(Buffer.from('original'));
      });

      it('are removed with it, and only then', async () => {
        const [file, other] = await Promise.all([received(Buffer.from('one')), received(Buffer.from('other'))]);
        for (const name of [file, other]) await files.storeDerived(name, '10x10', Buffer.from('small'));

        await files.remove([file]);

        expect(await derivedOf(file, '10x10')).toBeNull();
        expect(await derivedOf(other, '10x10')).toEqual(Buffer.from('small'));
      });

      it('are not stored once it is gone', async () => {
        const file = await received(Buffer.from('original'));
        await files.remove([file]);
        expect(await files.storeDerived(file, '10x10', Buffer.from('small'))).toBe(false);
        expect(await derivedOf(file, '10x10')).toBeNull();
      });

      it('never outlive it, however removal and storing meet', async () => {
        const names = await Promise.all(Array.from({ length: 30 }, () => received(Buffer.from('original'))));
        const stored = names.map((file) => files.storeDerived(file, '10x10', Buffer.from('small')));
        await Promise.all([...stored, files.remove(names)]);
        for (const file of names) expect(await derivedOf(file, '10x10')).toBeNull();
      });

      it.each(['', '..', 'a/b', 'a.b', '$set', 'A'])('have no variant %j', async (variant) => {
        const file = newName();
        await expect(files.storeDerived(file, variant, Buffer.from('x'))).rejects.toThrow(TypeError);
        await expect(files.readDerived(file, variant)).rejects.toThrow(TypeError);
      });
    });

    it('accepts that a file is kept twice', async () => {
      const file = await received(Buffer.from('twice'));
      await files.commit(file);
      await files.commit(file);
      expect(await contentOf(file)).toEqual(Buffer.from('twice'));
    });

    it('lists as abandoned exactly the files that were received long ago and not kept', async () => {
      const kept = await received(Buffer.from('kept'));
      await files.commit(kept);
      const left = await received(Buffer.from('left'));
      const wanted = await received(Buffer.from('wanted'));
      expect(await files.abandoned()).not.toContain(left);

      const store = await opened.later();

      expect(await store.abandoned()).toEqual(expect.arrayContaining([left, wanted]));
      expect(await store.abandoned()).not.toContain(kept);
      await store.commit(wanted);
      await store.remove([left]);
      expect(await store.abandoned()).not.toEqual(expect.arrayContaining([left]));
      expect(await store.abandoned()).not.toEqual(expect.arrayContaining([wanted]));
      expect(await contentOf(wanted, undefined, store)).toEqual(Buffer.from('wanted'));
      expect(await store.read(left)).toBeNull();
    });

    it('lists exactly the files that are committed', async () => {
      const listed = async (): Promise<readonly string[]> => {
        const names: string[] = [];
        for await (const page of files.committed()) names.push(...page);
        return names;
      };
      const [kept, incoming, removed] = [
        await received(randomBytes(9)),
        await received(randomBytes(9)),
        await received(randomBytes(9)),
      ];
      for (const file of [kept, removed]) await files.commit(file);
      await files.storeDerived(kept, 'small', randomBytes(9));
      expect(await listed()).toEqual(expect.arrayContaining([kept, removed]));
      await files.remove([removed]);
      const names = await listed();
      expect(names.filter((file) => file === kept)).toHaveLength(1);
      for (const file of [incoming, removed, 'small']) expect(names).not.toContain(file);
      await files.remove([kept, incoming]);
    });

    it('lists committed files page by page, each once, among others that are not committed', async () => {
      const all: string[] = [];
      const receiveAll = async (): Promise<void> => {
        while (all.length < MORE_THAN_A_PAGE) all.push(await received(Buffer.from('x')));
      };
      await Promise.all(Array.from({ length: 20 }, receiveAll));
      // Names are random: some of the others are on the first page.
      const [incoming, kept] = [all.slice(0, 50), all.slice(50)];
      await Promise.all(kept.map((file) => files.commit(file)));
      const isOne = new Set(all);
      const listed: string[] = [];
      for await (const page of files.committed()) listed.push(...page.filter((file) => isOne.has(file)));
      expect(listed.toSorted()).toEqual(kept.toSorted());
      await files.remove([...kept, ...incoming]);
    });

    it('receives many files at once', async () => {
      const all = Array.from({ length: 20 }, () => randomBytes(30_000));
      const names = await Promise.all(all.map(received));
      const found = await Promise.all(names.map((file) => contentOf(file)));
      expect(found.map((bytes, n) => bytes?.equals(all[n] as Buffer))).toEqual(all.map(() => true));
    });

    it.each([
      '',
      '..',
      '../../../etc/passwd-and-more',
      'a/b/c/d/e/f/g/h/i/j',
      'nul\0nul\0nul\0nul\0nul',
      'x'.repeat(65),
    ])('refuses the file name %j', async (file) => {
      await expect(files.receive(file, inPieces(Buffer.from('x'), 1))).rejects.toThrow(TypeError);
      await expect(files.read(file)).rejects.toThrow(TypeError);
      await expect(files.commit(file)).rejects.toThrow(TypeError);
      await expect(files.remove([file])).rejects.toThrow(TypeError);
    });
  });
}
