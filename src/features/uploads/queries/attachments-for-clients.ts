import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
  type FileReferenceDocument,
  REFERENCES,
} from '../../../../projections/attachments/attachments.projection.js';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { pathIdOf } from '../domain/file-path.js';

/** A file for its owner's clients. */
export interface AttachmentForClients {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly create_time: number;
  /** Messages that link to the file, oldest first. */
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[];
}

const PAGE = 1000;

/** Describes files and the messages that link to them. Leaves out a file whose name was erased. */
export async function attachmentsForClients(
  files: readonly AttachmentDocument[],
  readModels: ReadModels,
): Promise<readonly AttachmentForClients[]> {
  const linking = await messagesLinkingTo(
    files.map(({ _id }) => _id),
    readModels,
  );
  const sent = await datesOf([...linking.values()].flat(), readModels);
  return files.flatMap(({ _id: id, name, pathName, folder, fileId, size, uploadedAt }) => {
    if (name === null || pathName === null) return [];
    const those = (linking.get(id) ?? []).flatMap((messageId) => {
      const date_sent = sent.get(messageId);
      return date_sent === undefined ? [] : [{ id: messageId, date_sent }];
    });
    return [
      { id, name, path_id: pathIdOf({ folder, fileId, pathName }), size, create_time: uploadedAt, messages: those },
    ];
  });
}

/** @throws UnavailableError, DocumentStoreUnavailable */
export async function attachmentsById(
  ids: readonly number[],
  readModels: ReadModels,
): Promise<ReadonlyMap<number, AttachmentForClients>> {
  if (ids.length === 0) return new Map();
  const files = await readModels
    .collection<AttachmentDocument>(attachments, ATTACHMENTS)
    .find({ _id: { $in: [...new Set(ids)] } });
  const told = await attachmentsForClients(files, readModels);
  return new Map(told.map((file) => [file.id, file]));
}

async function messagesLinkingTo(ids: readonly number[], readModels: ReadModels): Promise<Map<number, number[]>> {
  const linking = new Map<number, number[]>();
  if (ids.length === 0) return linking;
  const references = readModels.collection<FileReferenceDocument>(attachments, REFERENCES);
  const found = await references.find({ attachmentId: { $in: [...ids] } }, { sort: { attachmentId: 1, messageId: 1 } });
  for (const { attachmentId, messageId } of found) {
    const list = linking.get(attachmentId) ?? [];
    list.push(messageId);
    linking.set(attachmentId, list);
  }
  return linking;
}

async function datesOf(messageIds: readonly number[], readModels: ReadModels): Promise<Map<number, number>> {
  const dates = new Map<number, number>();
  const ids = [...new Set(messageIds)];
  const sent = readModels.collection<MessageDocument>(messages, MESSAGES);
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = { _id: { $in: ids.slice(from, from + PAGE) } };
    for (const { _id, sentAt } of await sent.find(page, { projection: { sentAt: 1 } })) dates.set(_id, sentAt);
  }
  return dates;
}
