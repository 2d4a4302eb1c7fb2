import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { isFileName } from '../../platform/file-store/checked-name.js';
import { syncFolder } from '../../platform/files/sync-folder.js';
import { BackupRefused, type ListedFile } from './manifest.js';

/** Lists are written in pieces of about so many characters. */
const PIECE = 65_536;

/** Reads a list of files, in bounded memory. @throws BackupRefused */
export async function* listedFiles(path: string): AsyncGenerator<ListedFile> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const file = JSON.parse(line) as ListedFile;
    if (!isFileName(file.id)) throw new BackupRefused(`${path} has a file with the name ${JSON.stringify(file.id)}`);
    yield file;
  }
}

/** Writes a list of files. */
export class FileList {
  private pending = '';
  count = 0;
  bytes = 0;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<FileList> {
    return new FileList(path, await open(path, 'wx', 0o600));
  }

  async add(file: ListedFile): Promise<void> {
    this.count++;
    this.bytes += file.bytes;
    this.pending += `${JSON.stringify(file)}\n`;
    if (this.pending.length > PIECE) await this.flush();
  }

  /** The list is on disk when it resolves. */
  async end(): Promise<void> {
    await this.flush();
    await this.handle.sync();
    await this.close();
    await syncFolder(dirname(this.path));
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async flush(): Promise<void> {
    await this.handle.writeFile(this.pending);
    this.pending = '';
  }
}
