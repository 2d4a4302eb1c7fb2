import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ByteRange, StoredFile } from '../../../platform/file-store/file-store.js';
import { Query } from '../../../platform/kernel/query.js';
import { placeOfUpload, RecordedFiles } from '../log/recorded-files.js';
import type { FoundFile } from './get-file.handler.js';

/** Reads a file, or a part of it. */
export class ReadFile extends Query<{ file: FoundFile; range?: ByteRange | undefined }, StoredFile | null> {}

@QueryHandler(ReadFile)
export class ReadFileHandler implements IQueryHandler<ReadFile> {
  constructor(private readonly files: RecordedFiles) {}

  /** @returns null if the file was deleted meanwhile @throws as `RecordedFiles.read` */
  execute({ file: { fileId, attachmentId }, range }: ReadFile): Promise<StoredFile | null> {
    return this.files.read(fileId, placeOfUpload(attachmentId), range);
  }
}
