import type { Dir, Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, opendir, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../files/sync-folder.js';
import { refuseBadName, refuseBadVariant } from '../checked-name.js';
import { type ByteRange, type FileStore, FileStoreUnavailable, type StoredFile } from '../file-store.js';
import { DerivedFiles } from './derived-files.js';

const FOLDER = 'uploads';
/** Subfolder of files that were received and not kept. */
const INCOMING = 'incoming';
/** Subfolder of derived files. */
const DERIVED = 'derived';
const LISTED_AT_ONCE = 1000;

/**
 * Files in the folder `uploads` of the data directory, for one process: files that are incoming at its start were left
 * by an earlier process.
 */
export class DiskFileStore implements FileStore {
  private constructor(
    private readonly folder: string,
    private readonly incoming: string,
    private readonly derived: DerivedFiles,
    private readonly left: Set<string>,
  ) {}

  /** @throws FileStoreUnavailable */
  static async open(dataDirectory: string): Promise<DiskFileStore> {
    const folder = join(dataDirectory, FOLDER);
    const incoming = join(folder, INCOMING);
    return onDisk(async () => {
      for (const path of [incoming, join(folder, DERIVED)]) {
        if ((await mkdir(path, { recursive: true, mode: 0o700 })) === undefined) continue;
        await syncFolder(folder);
        await syncFolder(dataDirectory);
      }
      const found = await readdir(incoming, { withFileTypes: true });
      const left = new Set(found.filter(isFile).map(({ name }) => name));
      return new DiskFileStore(folder, incoming, new DerivedFiles(join(folder, DERIVED)), left);
    });
  }

  /**
   * Opens the files for reading only, beside a process that may write them: creates nothing, and finds nothing
   * abandoned.
   */
  static beside(dataDirectory: string): DiskFileStore {
    const folder = join(dataDirectory, FOLDER);
    return new DiskFileStore(folder, join(folder, INCOMING), new DerivedFiles(join(folder, DERIVED)), new Set());
  }

  async receive(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    refuseBadName(name);
    const path = join(this.incoming, name);
    const file = await onDisk(() => open(path, 'wx', 0o600));
    try {
      try {
        for await (const chunk of content) await onDisk(() => writeWhole(file, chunk));
        await onDisk(() => file.sync());
      } finally {
        await onDisk(() => file.close());
      }
      await onDisk(() => syncFolder(this.incoming));
    } catch (error) {
      // Bytes that cannot be removed now are found at the next start.
      await this.discard(path).catch(() => {});
      throw error;
    }
  }

  async commit(name: string): Promise<void> {
    refuseBadName(name);
    await onDisk(async () => {
      try {
        await rename(join(this.incoming, name), join(this.folder, name));
      } catch (error) {
        if (!isAbsence(error)) throw error;
      }
      // Syncs the target before the source: at every moment one of the two has the file.
      await syncFolder(this.folder);
      await syncFolder(this.incoming);
    });
    this.left.delete(name);
  }

  async abandoned(): Promise<readonly string[]> {
    return [...this.left];
  }

  async *committed(): AsyncGenerator<readonly string[]> {
    const folder = await onDisk(() => openFolder(this.folder));
    if (!folder) return;
    try {
      let page: string[] = [];
      for (;;) {
        const entry = await onDisk(() => folder.read());
        if (entry?.isFile()) page.push(entry.name);
        if (page.length === LISTED_AT_ONCE || (entry === null && page.length > 0)) {
          yield page;
          page = [];
        }
        if (entry === null) return;
      }
    } finally {
      await folder.close();
    }
  }

  async read(name: string, range?: ByteRange): Promise<StoredFile | null> {
    refuseBadName(name);
    return onDisk(async () => {
      const file = await this.opened(name);
      return file && readFrom(file, range);
    });
  }

  async storeDerived(name: string, variant: string, bytes: Uint8Array): Promise<boolean> {
    refuseBadName(name);
    refuseBadVariant(variant);
    return onDisk(async () => {
      await this.derived.store(name, variant, bytes).catch((error: unknown) => {
        // The folder is removed meanwhile.
        if (!isAbsence(error)) throw error;
      });
      // Looks afterwards: `remove` removes the original first, so one of the two finds the derived file.
      const original = await this.opened(name);
      await original?.close();
      if (!original) await this.derived.remove([name]);
      return original !== null;
    });
  }

  async readDerived(name: string, variant: string): Promise<StoredFile | null> {
    refuseBadName(name);
    refuseBadVariant(variant);
    return onDisk(async () => {
      const file = await openExisting(this.derived.path(name, variant));
      return file && readFrom(file, undefined);
    });
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) refuseBadName(name);
    if (names.length === 0) return;
    await onDisk(async () => {
      for (const name of names) {
        await discarded(join(this.incoming, name));
        await discarded(join(this.folder, name));
      }
      await this.derived.remove(names);
      await syncFolder(this.folder);
      await syncFolder(this.incoming);
    });
    for (const name of names) this.left.delete(name);
  }

  async close(): Promise<void> {}

  private async opened(name: string): Promise<FileHandle | null> {
    // Looks twice into the target: the file may move there between two looks.
    for (const folder of [this.folder, this.incoming, this.folder]) {
      const file = await openExisting(join(folder, name));
      if (file) return file;
    }
    return null;
  }

  private async discard(path: string): Promise<void> {
    await discarded(path);
    await syncFolder(this.incoming);
  }
}

async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
}

async function readFrom(file: FileHandle, range: ByteRange | undefined): Promise<StoredFile> {
  try {
    const { size } = await file.stat();
    return { size, content: file.createReadStream({ ...range, autoClose: true }) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

async function openFolder(path: string): Promise<Dir | null> {
  try {
    return await opendir(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

async function discarded(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** Reports every failure of the disk as one that may pass: it may be full or read-only for a while. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new FileStoreUnavailable(`uploaded files: ${error.code}`, { cause: error });
  }
}

const isFile = (entry: Dirent): boolean => entry.isFile();

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;

const isAbsence = (error: unknown): boolean => isSystemError(error) && error.code === 'ENOENT';
