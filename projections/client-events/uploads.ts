import type { MessageDeleted, MessageEdited } from '../../src/events/messages/message.events.js';
import { type MessageSent, messageIdAt } from '../../src/events/messages/messages.events.js';
import { attachmentIdAt, type UploadEvent } from '../../src/events/uploads/uploads.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import {
  type Change,
  type EventHandlers,
  insert,
  type OwnDocuments,
} from '../../src/platform/read-models/projection.js';
import { type ClientEventOf, clientEvent, staticClientEvent } from './client-event.js';
import { written } from './written.js';

/** The feed's own collections: owner of each file, space of all files, and client events about each message's links. */
export const FILES = 'files';
export const FILE_SPACE = 'fileSpace';
export const FILE_LINKS = 'fileLinks';

interface FileDocument extends StoredDocument {
  /** The attachment's id. */
  readonly _id: number;
  readonly ownerId: number;
  readonly position: Position;
}

interface SpaceDocument extends StoredDocument {
  readonly _id: 'space';
  readonly bytes: number;
  readonly position: Position;
}

/** Ids of the client events about a message's links. */
interface LinksDocument extends StoredDocument {
  /** The message's id. */
  readonly _id: number;
  readonly entryIds: readonly number[];
  readonly position: Position;
}

/** Names the file. Its name and the messages that link to it are filled in when the client event is sent. */
interface AttachmentPayload {
  readonly attachmentId: number;
  /** Size of all files after the event, in bytes. */
  readonly spaceUsed: number;
}

export const attachmentAdd = clientEvent<AttachmentPayload>()({ kind: 'attachment/add', rank: 1024, part: 'personal' });

/** `attachment/update` for the files that a message links to. It precedes the client events about the message. */
export const attachmentUpdate = clientEvent<AttachmentPayload>()({
  kind: 'attachment/update',
  rank: 520,
  part: 'personal',
});

export const attachmentRemove = staticClientEvent<{
  readonly attachment: { readonly id: number };
  readonly upload_space_used: number;
}>()({ kind: 'attachment/remove', rank: 1024, part: 'personal' });

/** Tells only the uploader of a file. */
export const uploadRules: EventHandlers<UploadEvent> = {
  FileUploaded: async (event, documents) => {
    const { ownerId, size } = event.data;
    const before = await spaceOf(documents);
    if (before.position >= event.position) return [];
    const space = grown(before, size, event.position);
    const file: FileDocument = { _id: attachmentIdAt(event.revision), ownerId, position: event.position };
    const payload = { attachmentId: file._id, spaceUsed: space.bytes };
    return [
      insert(FILES, file),
      ...(await written(event, documents, [attachmentAdd.of(event, { userIds: [ownerId] }, payload)])),
      insert(FILE_SPACE, space),
    ];
  },
  FileDeleted: async (event, documents) => {
    const { attachmentId, ownerId, size } = event.data;
    const before = await spaceOf(documents);
    if (before.position >= event.position) return [];
    const space = grown(before, -size, event.position);
    const body = { attachment: { id: attachmentId }, upload_space_used: space.bytes };
    return [
      { collection: FILES, operation: { deleteOne: { filter: { _id: attachmentId } } } },
      ...(await written(event, documents, [attachmentRemove.of(event, { userIds: [ownerId] }, body)])),
      insert(FILE_SPACE, space),
    ];
  },
};

type ContentEvent = MessageSent | MessageEdited | MessageDeleted;

/**
 * Tells owners of files which messages link to them. An event shows links only while the message's key exists, so a
 * deletion removes the client events about the message's links. The deletion's own client events replace them:
 * `MessageDeleted` names the files unencrypted.
 */
export const fileLinkRules: Required<EventHandlers<ContentEvent>> = {
  MessageSent: (event, documents) =>
    linked(event, messageIdAt(event.revision), event.data.content?.attachmentIds ?? [], documents),
  MessageEdited: (event, documents) => {
    const { messageId, content } = event.data;
    const now = content?.attachmentIds ?? [];
    const before = content?.previousAttachmentIds ?? [];
    const changed = [...before.filter((id) => !now.includes(id)), ...now.filter((id) => !before.includes(id))];
    return linked(event, messageId, changed, documents);
  },
  MessageDeleted: async (event, documents) => {
    const { messageId, attachmentIds = [] } = event.data;
    const links = await documents.collection<LinksDocument>(FILE_LINKS).findOne({ _id: messageId });
    const stale = links?.entryIds ?? [];
    return [
      ...stale.map((_id): Change => ({ collection: 'events', operation: { deleteOne: { filter: { _id } } } })),
      ...(links ? [{ collection: FILE_LINKS, operation: { deleteOne: { filter: { _id: messageId } } } }] : []),
      ...(await updates(event, attachmentIds, documents)).map((update) => insert('events', update)),
    ];
  },
};

type Handler<E extends ContentEvent> = NonNullable<EventHandlers<E>[E['type']]>;

/** Joins two rules for one event, in the given order. */
export const both =
  <E extends ContentEvent>(first: Handler<E> | undefined, second: Handler<E>): Handler<E> =>
  async (event, documents) => [...((await first?.(event, documents)) ?? []), ...(await second(event, documents))];

async function linked(
  event: Recorded<MessageSent | MessageEdited>,
  messageId: number,
  attachmentIds: readonly number[],
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  if (attachmentIds.length === 0) return [];
  const before = await documents.collection<LinksDocument>(FILE_LINKS).findOne({ _id: messageId });
  if (before && before.position >= event.position) return [];
  const entries = await updates(event, attachmentIds, documents);
  const entryIds = [...(before?.entryIds ?? []), ...entries.map(({ _id }) => _id)];
  const links: LinksDocument = { _id: messageId, entryIds, position: event.position };
  return [...entries.map((update): Change => insert('events', update)), insert(FILE_LINKS, links)];
}

/** Makes one client event for each file that exists. */
async function updates(
  event: Recorded<ContentEvent>,
  attachmentIds: readonly number[],
  documents: OwnDocuments,
): Promise<readonly ClientEventOf<typeof attachmentUpdate>[]> {
  if (attachmentIds.length === 0) return [];
  const files = await documents
    .collection<FileDocument>(FILES)
    .find({ _id: { $in: [...attachmentIds] } }, { sort: { _id: 1 } });
  const { bytes: spaceUsed } = await spaceOf(documents);
  return files.map(({ _id: attachmentId, ownerId }, nth) =>
    attachmentUpdate.of(event, { userIds: [ownerId] }, { attachmentId, spaceUsed }, nth),
  );
}

async function spaceOf(documents: OwnDocuments): Promise<SpaceDocument> {
  const found = await documents.collection<SpaceDocument>(FILE_SPACE).findOne({ _id: 'space' });
  return found ?? { _id: 'space', bytes: 0, position: START };
}

const grown = (space: SpaceDocument, by: number, position: Position): SpaceDocument => ({
  ...space,
  bytes: space.bytes + by,
  position,
});
