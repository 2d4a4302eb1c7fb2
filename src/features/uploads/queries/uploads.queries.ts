import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
  SPACE,
  SPACE_ID,
  type UploadSpaceDocument,
} from '../../../../projections/attachments/attachments.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import type { ByteRange, StoredFile } from '../../../platform/file-store/file-store.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { isFileId, REALM_ID } from '../domain/file-path.js';
import type { FilePath } from '../domain/picture-source.js';
import { placeOfUpload, RecordedFiles } from '../log/recorded-files.js';
import { type AttachmentForClients, attachmentsForClients } from './attachments-for-clients.js';
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

/** Finds a file that the reader may read. */
export class GetFile extends Query<{ reader: UserRecord; path: FilePath }, FoundFile | null> {}

/** Finds a file by a temporary link. */
export class GetLinkedFile extends Query<{ attachmentId: number }, FoundFile | null> {}

/** Reads a file, or a part of it. null: the file was deleted meanwhile. @throws as `RecordedFiles.read` */
export class ReadFile extends Query<{ file: FoundFile; range?: ByteRange | undefined }, StoredFile | null> {}

/** Lists a user's files, oldest first, with the space that all files of the organization take. */
export class GetAttachments extends Query<{ ownerId: number }, OwnAttachments> {}

interface OwnAttachments {
  readonly attachments: readonly AttachmentForClients[];
  /** Bytes, of all users' files. */
  readonly spaceUsed: number;
}

export const uploadQueries = [
  answersFrom(GetFile, Facts, async ({ reader, path }, facts) => {
    if (path.realmId !== REALM_ID || !isFileId(path.fileId)) return null;
    // Waits until attachments are as new as messages: a reader who got a message can read the files that it links to.
    await facts.readModels.waitFor([attachments], facts.readModels.position(messages));
    const [file] = await filesNamed([path.fileId], facts.readModels);
    if (!file || file.pathName !== path.name || file.folder !== path.folder) return null;
    return (await mayHaveFile(reader, file, facts)) ? found(file) : null;
  }),
  answersFrom(GetLinkedFile, READ_MODELS, async ({ attachmentId }, readModels: ReadModels) => {
    const files = readModels.collection<AttachmentDocument>(attachments, ATTACHMENTS);
    const file = await files.findOne({ _id: attachmentId });
    return file && found(file);
  }),
  answersFrom(ReadFile, RecordedFiles, ({ file: { fileId, attachmentId }, range }, files) =>
    files.read(fileId, placeOfUpload(attachmentId), range),
  ),
  answersFrom(GetAttachments, READ_MODELS, async ({ ownerId }, readModels: ReadModels) => {
    await readModels.waitFor([attachments], readModels.position(messages));
    const space = await readModels.collection<UploadSpaceDocument>(attachments, SPACE).findOne({ _id: SPACE_ID });
    const files = await readModels
      .collection<AttachmentDocument>(attachments, ATTACHMENTS)
      .find({ ownerId }, { sort: { _id: 1 } });
    return { attachments: await attachmentsForClients(files, readModels), spaceUsed: space?.bytes ?? 0 };
  }),
];

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
