import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  type ByteRange,
  FILE_STORE,
  type FileStore,
  type StoredFile,
} from '../../../platform/file-store/file-store.js';
import { Query } from '../../../platform/kernel/query.js';

export type { ByteRange, StoredFile };

/** Reads a file, or a part of it. */
export class ReadFile extends Query<{ fileId: string; range?: ByteRange }, StoredFile | null> {}

@QueryHandler(ReadFile)
export class ReadFileHandler implements IQueryHandler<ReadFile> {
  constructor(@Inject(FILE_STORE) private readonly files: FileStore) {}

  /** @returns null if the bytes are gone @throws FileStoreUnavailable */
  execute({ fileId, range }: ReadFile): Promise<StoredFile | null> {
    return this.files.read(fileId, range);
  }
}
