import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredFile } from '../file-store/file-store.js';
import { isMissing } from '../files/is-missing.js';
import { forEachConcurrently } from '../kernel/for-each-concurrently.js';
import { Mutex } from '../kernel/mutex.js';
import { UnavailableError } from '../kernel/outcome-errors.js';

interface FileCacheOptions {
  readonly folder: string;
  /** Bytes of all files together. */
  readonly maxBytes: number;
  /** Milliseconds. Older files are not served, and removed. */
  readonly maxAge: number;
}

export interface CachedFile extends StoredFile {
  /** The first bytes of the content, at most 16. */
  readonly head: Buffer;
  /** Unix milliseconds. */
  readonly storedAt: number;
}

interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly storedAt: number;
}

const HEAD_BYTES = 16;
const STATS_AT_ONCE = 16;
/** The part of the bytes that is freed besides when the cache is full, so that the next files fit without a look at all. */
const SPARE = 0.1;
/** The end of the name of a file that is being written. */
const PART = '.part';
/** Milliseconds after which no process writes a part any more. */
const LONGEST_WRITE = 60_000;

/**
 * Files that can be had again from elsewhere, in a folder that may be removed at any time. When the cache is full, the
 * oldest files go first. Several processes may use one folder: each counts the files of the others when it tidies.
 */
export class FileCache {
  private readonly storing = new Mutex();
  /** Bytes of all files, or more; null until they were counted. */
  private bytes: number | null = null;

  constructor(private readonly options: FileCacheOptions) {}

  /** Opens a file. null: there is none, or it is too old. @throws UnavailableError */
  async open(name: string): Promise<CachedFile | null> {
    try {
      return await this.find(name);
    } catch (error) {
      throw new UnavailableError(`a cached file cannot be read: ${String(error)}`, 1, { cause: error });
    }
  }

  /** Stores a file whole, in place of an older one. A crash leaves at most parts under other names. @throws UnavailableError */
  store(name: string, content: Uint8Array): Promise<void> {
    return this.storing.run(async () => {
      try {
        if (this.bytes === null || this.bytes + content.length > this.options.maxBytes)
          await this.evict(content.length);
        await this.write(name, content);
        this.bytes = (this.bytes ?? 0) + content.length;
      } catch (error) {
        throw new UnavailableError(`a file cannot be cached: ${String(error)}`, 1, { cause: error });
      }
    });
  }

  /** Removes files that are too old, and the oldest ones beyond the bytes. */
  tidy(): Promise<void> {
    return this.storing.run(() => this.evict(0));
  }

  private async find(name: string): Promise<CachedFile | null> {
    const file = await unlessGone(open(join(this.options.folder, name), 'r'));
    if (file === null) return null;
    const found = await this.read(file).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    if (found === null) await file.close();
    return found;
  }

  private async read(file: FileHandle): Promise<CachedFile | null> {
    const { size, mtimeMs: storedAt } = await file.stat();
    if (this.isTooOld(storedAt)) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { size, storedAt, head: buffer.subarray(0, bytesRead), content: file.createReadStream({ start: 0 }) };
  }

  private async write(name: string, content: Uint8Array): Promise<void> {
    const { folder } = this.options;
    const part = join(folder, `${name}.${randomUUID()}${PART}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await writeFile(part, content, { flag: 'wx', mode: 0o600, flush: true });
      await rename(part, join(folder, name));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  /** Counts all files, parts that a crash left among them, and makes room for further bytes. */
  private async evict(needed: number): Promise<void> {
    const { maxBytes } = this.options;
    const files = [...(await this.files())].sort(inOrder);
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const room = maxBytes - needed;
    const goal = bytes > room ? room - maxBytes * SPARE : room;
    for (const file of files) {
      if (bytes <= goal && !this.isTooOld(file.storedAt)) break;
      if (isBeingWritten(file)) continue;
      await rm(file.path, { force: true });
      bytes -= file.bytes;
    }
    this.bytes = bytes;
  }

  private async files(): Promise<readonly FoundFile[]> {
    const { folder } = this.options;
    const found: FoundFile[] = [];
    await forEachConcurrently((await unlessGone(readdir(folder))) ?? [], STATS_AT_ONCE, async (name) => {
      const path = join(folder, name);
      const about = await unlessGone(stat(path));
      if (about?.isFile()) found.push({ path, bytes: about.size, storedAt: about.mtimeMs });
    });
    return found;
  }

  private isTooOld(storedAt: number): boolean {
    return Date.now() - storedAt > this.options.maxAge;
  }
}

/** The oldest first. Of the same time, too, all processes remove the same one. */
const inOrder = (a: FoundFile, b: FoundFile): number => a.storedAt - b.storedAt || (a.path < b.path ? -1 : 1);

/** Other processes may write in the folder, too. */
const isBeingWritten = ({ path, storedAt }: FoundFile): boolean =>
  path.endsWith(PART) && Date.now() - storedAt < LONGEST_WRITE;

/** null: the file or the folder does not exist. */
async function unlessGone<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
