import type { MessageDeleted, MessageEdited } from '../../src/events/messages/message.events.js';
import { type MessageSent, messageIdAt } from '../../src/events/messages/messages.events.js';
import {
  attachmentIdAt,
  type FileUploaded,
  type PictureMeasure,
  type UploadEvent,
} from '../../src/events/uploads/uploads.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import {
  type Change,
  insert,
  type LookUp,
  type OwnDocuments,
  projection,
} from '../../src/platform/read-models/projection.js';

/** An uploaded file that is not deleted. */
export interface AttachmentDocument extends StoredDocument {
  /** The attachment's id. */
  readonly _id: number;
  readonly ownerId: number;
  /** The file's name in the file store, and a part of its URL. */
  readonly fileId: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly uploadedAt: number;
  /** null once the file's key has been destroyed. */
  readonly name: string | null;
  readonly pathName: string | null;
  /** As the event says it. */
  readonly folder?: string;
  readonly contentType: string | null;
  /** As the event says it. */
  readonly picture?: PictureMeasure | null;
  readonly position: Position;
}

/** A message that links to a file. */
export interface FileReferenceDocument extends StoredDocument {
  /** `<attachmentId>/<messageId>` */
  readonly _id: string;
  readonly attachmentId: number;
  readonly messageId: number;
  readonly position: Position;
}

/** The total size of all files. */
export interface UploadSpaceDocument extends StoredDocument {
  readonly _id: typeof SPACE_ID;
  readonly bytes: number;
  readonly position: Position;
}

export const ATTACHMENTS = 'attachments';
export const REFERENCES = 'references';
export const SPACE = 'space';
export const SPACE_ID = 'space';

/**
 * Uploaded files, and the messages that link to them. A message's links are known as long as its content is. The message's
 * deletion removes all of them, even if its key is destroyed already.
 */
export const attachments = projection<UploadEvent | MessageSent | MessageEdited | MessageDeleted>({
  name: 'attachments',
  version: 2,
  holdsContent: true,
  collections: {
    [ATTACHMENTS]: { indexes: [{ keys: { fileId: 1 } }, { keys: { ownerId: 1, _id: 1 } }] },
    [REFERENCES]: { indexes: [{ keys: { attachmentId: 1, messageId: 1 } }, { keys: { messageId: 1 } }] },
    [SPACE]: {},
  },
  on: {
    FileUploaded: async (event, documents) => {
      const space = await spaceBefore(event.position, documents);
      if (!space) return [];
      // The space is written last: once it is stored, the event's other changes are stored, too.
      return [insert(ATTACHMENTS, documentOf(event)), grown(space, event.data.size, event.position)];
    },
    FileDeleted: async ({ data, position }, documents) => {
      const space = await spaceBefore(position, documents);
      if (!space) return [];
      const { attachmentId, size } = data;
      // By ids, which can be parted: a file may have any number of references.
      const references = await documents.collection(REFERENCES).find({ attachmentId }, { projection: { _id: 1 } });
      const filter = { _id: { $in: references.map(({ _id }) => _id) } };
      return [
        removed(ATTACHMENTS, { _id: attachmentId }),
        { collection: REFERENCES, operation: { deleteMany: { filter } } },
        grown(space, -size, position),
      ];
    },
    MessageSent: ({ data, revision, position }, documents) =>
      data.content?.attachmentIds
        ? references(messageIdAt(revision), data.content.attachmentIds, position, documents)
        : [],
    MessageEdited: async ({ data: { messageId, content }, position }, documents) => {
      if (!content) return [allOf(messageId)];
      const { attachmentIds: wanted = [], previousAttachmentIds: before = [] } = content;
      const gone = before.filter((id) => !wanted.includes(id));
      const fresh: number[] = [];
      for (const id of wanted) {
        const _id = referenceId(id, messageId);
        if (!(await documents.collection<FileReferenceDocument>(REFERENCES).findOne({ _id }))) fresh.push(id);
      }
      return [
        ...gone.map((id) => removed(REFERENCES, { _id: referenceId(id, messageId) })),
        ...(await references(messageId, fresh, position, documents)),
      ];
    },
    MessageDeleted: ({ data: { messageId } }) => [allOf(messageId)],
  },
  // Most messages link to no file.
  awaited: {
    MessageSent: ({ content }) => content?.attachmentIds !== undefined,
    MessageEdited: ({ content }) =>
      content?.attachmentIds !== undefined || content?.previousAttachmentIds !== undefined,
    MessageDeleted: ({ attachmentIds }) => attachmentIds !== undefined,
  },
  prefetch: {
    MessageEdited: ({ data: { messageId, content } }) =>
      (content?.attachmentIds ?? []).map((id): LookUp => [REFERENCES, referenceId(id, messageId)]),
  },
});

const referenceId = (attachmentId: number, messageId: number): string => `${attachmentId}/${messageId}`;

/** Removes all references of a message. */
const allOf = (messageId: number): Change => ({
  collection: REFERENCES,
  operation: { deleteMany: { filter: { messageId } } },
});

function documentOf({ data, revision, metadata, position }: Recorded<FileUploaded>): AttachmentDocument {
  const { ownerId, fileId, size, content } = data;
  return {
    _id: attachmentIdAt(revision),
    ownerId,
    fileId,
    size,
    uploadedAt: metadata.at,
    name: content?.name ?? null,
    pathName: content?.pathName ?? null,
    ...(content?.folder !== undefined && { folder: content.folder }),
    contentType: content?.contentType ?? null,
    ...(content?.picture !== undefined && { picture: content.picture }),
    position,
  };
}

/** References to existing files: a file may have been deleted just before the message was sent. */
async function references(
  messageId: number,
  attachmentIds: readonly number[],
  position: Position,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  if (attachmentIds.length === 0) return [];
  const there = await documents.collection<AttachmentDocument>(ATTACHMENTS).find({ _id: { $in: [...attachmentIds] } });
  return there.map(({ _id: attachmentId }) => {
    const reference: FileReferenceDocument = {
      _id: referenceId(attachmentId, messageId),
      attachmentId,
      messageId,
      position,
    };
    return insert(REFERENCES, reference);
  });
}

/** null if the event has been applied already. */
async function spaceBefore(position: Position, documents: OwnDocuments): Promise<UploadSpaceDocument | null> {
  const found = await documents.collection<UploadSpaceDocument>(SPACE).findOne({ _id: SPACE_ID });
  const space = found ?? { _id: SPACE_ID, bytes: 0, position: START };
  return space.position < position ? space : null;
}

const grown = (space: UploadSpaceDocument, by: number, position: Position): Change => {
  const now: UploadSpaceDocument = { ...space, bytes: space.bytes + by, position };
  return insert(SPACE, now);
};

const removed = (collection: string, filter: { readonly _id: string | number }): Change => ({
  collection,
  operation: { deleteOne: { filter } },
});
