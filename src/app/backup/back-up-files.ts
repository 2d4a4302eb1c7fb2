import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engines } from '../../platform/engines/engines.js';
import { differenceOf } from '../../platform/file-store/file-difference.js';
import { writeMeasured } from '../../platform/files/measured.js';
import { syncFolder } from '../../platform/files/sync-folder.js';
import type { Position } from '../../platform/kernel/position.js';
import { countNamedFiles, type NamedFile, NamedFiles } from '../verify/named-files.js';
import { FileList, type ListedFile, listedFiles } from './manifest.js';

export const FILES = 'files';

export interface FilesBackedUp {
  readonly count: number;
  readonly bytesOfAll: number;
  /** Files that no earlier backup has. */
  readonly added: number;
  /** Files that were deleted since the moment of the backup. */
  readonly gone: number;
  /** Sentences that name files which are missing, or differ from what the log tells of them. */
  readonly faults: readonly string[];
}

interface FilesBackup {
  /** Folder of the backup. */
  readonly to: string;
  /** Position of the last event in the backup. */
  readonly head: Position;
  /** Path of the list of an earlier backup; null: there is none. */
  readonly earlier: string | null;
  /** Path of the list to write. */
  readonly list: string;
  readonly report: (done: number, total: number, bytes: number) => void;
  /** Rejects to end the work. */
  readonly goOn: () => Promise<void>;
}

/** Names and events in memory at once: about 100 MB. */
const MOST_AT_ONCE = 200_000;
const MOST_FAULTS_NAMED = 100;

/** Copies the files that the log names up to a position, but for those that an earlier backup has. */
export async function backUpFiles(
  sources: Pick<Engines, 'eventStore' | 'contentKeys' | 'fileStore'>,
  backup: FilesBackup,
): Promise<FilesBackedUp> {
  const { to, head, goOn } = backup;
  const had = await filesOf(backup.earlier);
  const list = await FileList.create(backup.list);
  const faults: string[] = [];
  let [added, gone, done, bytes] = [0, 0, 0, 0];
  try {
    const total = await countNamedFiles(sources.eventStore, goOn);
    const parts = Math.max(1, Math.ceil(total / MOST_AT_ONCE));
    for (let index = 0; index < parts; index++) {
      const named = new NamedFiles(sources, { index, of: parts });
      await named.readOn(goOn);
      for (const [id, file] of named.all()) {
        if (file.position <= head) await take(id, file, named);
        backup.report(++done, total, bytes);
        await goOn();
      }
    }
    await syncFolder(join(to, FILES));
    await list.end();
  } catch (error) {
    await list.close().catch(() => {});
    throw error;
  }
  return { count: list.count, bytesOfAll: list.bytes, added, gone, faults };

  async function take(id: string, file: NamedFile, named: NamedFiles): Promise<void> {
    if (file.ended) {
      if (file.ended.position > head) gone++;
      return;
    }
    const earlier = had.get(id);
    if (earlier && (await sizeOf(join(to, FILES, id))) === earlier.bytes) return list.add(earlier);
    const stored = await sources.fileStore.read(id);
    if (stored === null) {
      // The file may have been deleted since the log was read.
      await named.readOn(goOn);
      if (named.get(id)?.ended) gone++;
      else fault(`missing: file ${id} of ${file.event}`);
      return;
    }
    const measure = await writeMeasured(join(to, FILES, id), stored.content);
    const difference = differenceOf(measure, file.measure);
    if (difference !== null) fault(`changed: file ${id} of ${file.event}: ${difference}`);
    bytes += measure.bytes;
    added++;
    await list.add({ id, ...measure });
  }

  function fault(sentence: string): void {
    if (faults.length < MOST_FAULTS_NAMED) faults.push(sentence);
  }
}

async function filesOf(list: string | null): Promise<ReadonlyMap<string, ListedFile>> {
  const files = new Map<string, ListedFile>();
  if (list !== null) for await (const file of listedFiles(list)) files.set(file.id, file);
  return files;
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).size;
  } catch {
    return null;
  }
}
