import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
} from '../../../../projections/attachments/attachments.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { isFileId, REALM_ID } from '../domain/file-path.js';
import { filesNamed, mayHaveFile } from './readable-files.js';

/** A file that the caller may read, without its bytes. */
export interface FoundFile {
  readonly attachmentId: number;
  readonly folder: string | undefined;
  readonly fileId: string;
  readonly name: string;
  readonly pathName: string;
  readonly contentType: string;
  readonly size: number;
}

/** Path of the file, as in its URL. */
export interface FilePath {
  readonly realmId: string;
  readonly folder: string | undefined;
  readonly fileId: string;
  readonly name: string;
}

/** Finds a file that the reader may read. */
export class GetFile extends Query<{ reader: UserRecord; path: FilePath }, FoundFile | null> {}

/** Finds a file by a temporary link. */
export class GetLinkedFile extends Query<{ attachmentId: number }, FoundFile | null> {}

@QueryHandler(GetFile)
export class GetFileHandler implements IQueryHandler<GetFile> {
  constructor(private readonly facts: Facts) {}

  async execute({ reader, path }: GetFile): Promise<FoundFile | null> {
    if (path.realmId !== REALM_ID || !isFileId(path.fileId)) return null;
    // Waits until attachments are as new as messages: a reader who got a message can read the files that it links to.
    await this.facts.readModels.waitFor([attachments], this.facts.readModels.position(messages));
    const [file] = await filesNamed([path.fileId], this.facts.readModels);
    if (!file || file.pathName !== path.name || file.folder !== path.folder) return null;
    return (await mayHaveFile(reader, file, this.facts)) ? found(file) : null;
  }
}

@QueryHandler(GetLinkedFile)
export class GetLinkedFileHandler implements IQueryHandler<GetLinkedFile> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute({ attachmentId }: GetLinkedFile): Promise<FoundFile | null> {
    const files = this.readModels.collection<AttachmentDocument>(attachments, ATTACHMENTS);
    const file = await files.findOne({ _id: attachmentId });
    return file && found(file);
  }
}

/** null if the key is destroyed: the file is deleted. */
function found({
  _id: attachmentId,
  folder,
  fileId,
  name,
  pathName,
  contentType,
  size,
}: AttachmentDocument): FoundFile | null {
  if (name === null || pathName === null || contentType === null) return null;
  return { attachmentId, folder, fileId, name, pathName, contentType, size };
}
