import { describe, expect, it } from '@jest/globals';
import { attachments } from '../../../projections/attachments/attachments.projection.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import type { MessageDeleted, MessageEdited } from '../../../src/events/messages/message.events.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import type { FileDeleted, FileUploaded } from '../../../src/events/uploads/uploads.events.js';
import type { DomainEvent, Recorded } from '../../../src/platform/kernel/event.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const place = { type: 'direct', userIds: [1, 2] } as const;
const words = (attachmentIds: readonly number[]) => ({
  text: 'w',
  rendered: '<p>w</p>',
  rendererVersion: 1,
  ...(attachmentIds.length > 0 && { attachmentIds }),
});

const uploaded = (ownerId: number, size: number): InHistory => {
  const fileId = `file of ${size} bytes`;
  const content = { name: `${size}.txt`, pathName: `${size}.txt`, contentType: 'text/plain', sha256: 'x' };
  return ['uploads', { type: 'FileUploaded', data: { ownerId, fileId, size, content } } satisfies FileUploaded];
};
const sent = (...attachmentIds: number[]): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId: 1,
      recipient: place,
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: words(attachmentIds),
    },
  } satisfies MessageSent,
];
const edited = (messageId: number, before: number[], after: number[]): InHistory => [
  `message-${messageId}`,
  {
    type: 'MessageEdited',
    data: {
      messageId,
      place,
      previousContentRevision: 0,
      contentRevision: 1,
      content: { ...words(after), previousSha256: '', ...(before.length > 0 && { previousAttachmentIds: before }) },
    },
  } satisfies MessageEdited,
];
const deleted = (messageId: number, ...attachmentIds: number[]): InHistory => [
  `message-${messageId}`,
  {
    type: 'MessageDeleted',
    data: { messageId, senderId: 1, place, keyId: 'k', ...(attachmentIds.length > 0 && { attachmentIds }) },
  } satisfies MessageDeleted,
];
const fileDeleted = (attachmentId: number, ownerId: number, size: number): InHistory => [
  `upload-${attachmentId}`,
  {
    type: 'FileDeleted',
    data: { attachmentId, ownerId, fileId: `file of ${size} bytes`, size, keyId: 'k' },
  } satisfies FileDeleted,
];

const LIFE: readonly InHistory[] = [
  uploaded(1, 10),
  uploaded(2, 200),
  uploaded(1, 3000),
  sent(1, 2),
  sent(2),
  edited(1, [1, 2], [2, 3]),
  sent(3),
  deleted(2, 2),
  fileDeleted(2, 2, 200),
  edited(3, [3], []),
];

/** The events as the log reads them after the keys of deleted messages and files are gone. */
const withoutKeysOf = (events: readonly Recorded[], messages: readonly number[], files: readonly number[]) =>
  events.map((event): Recorded => {
    const { stream, revision } = event;
    const isOfMessage = messages.some((id) =>
      stream === 'messages' ? revision === id - 1 : stream === `message-${id}`,
    );
    const isOfFile = files.some((id) => stream === 'uploads' && revision === id - 1);
    if (!(isOfMessage || isOfFile) || !('content' in event.data)) return event;
    return { ...(event as DomainEvent & Recorded), data: { ...event.data, content: null } };
  });

describe('the documents of uploaded files', () => {
  it('hold the messages that link to each file, and the space used by all files', async () => {
    const documents = await projected(attachments, history(...LIFE));
    expect(documents.attachments).toEqual([
      expect.objectContaining({ _id: 1, ownerId: 1, size: 10, name: '10.txt', position: 1 }),
      expect.objectContaining({ _id: 3, ownerId: 1, size: 3000, uploadedAt: 1_700_000_003_000 }),
    ]);
    expect(documents.references).toEqual([{ _id: '3/1', attachmentId: 3, messageId: 1, position: 6 }]);
    expect(documents.space).toEqual([{ _id: 'space', bytes: 3010, position: 9 }]);
  });

  it('hold no reference to a file that does not exist', async () => {
    const documents = await projected(attachments, history(uploaded(1, 10), fileDeleted(1, 1, 10), sent(1), sent(7)));
    expect(documents.references).toEqual([]);
  });
});

describe.each<[string, Projection]>([
  ['attachments', attachments],
  ['client-events', clientEvents],
])('the projection %s', (_, projection) => {
  it('makes the same documents whether or not the keys of deleted messages and files still exist', async () => {
    const events = history(...LIFE, deleted(1, 2, 3), deleted(3));
    const live = await projected(projection, events);
    expect(await projected(projection, withoutKeysOf(events, [1, 2, 3], [2]))).toEqual(live);
    expect(JSON.stringify(live)).not.toContain('"fileLinks":[{');
  });
});

describe('client events of uploaded files', () => {
  it('are sent to the owner for each message that starts or stops linking to the file', async () => {
    const told = async (...entries: InHistory[]) => {
      const { events = [] } = await projected(clientEvents, history(...entries));
      return (events as unknown as { kind: string; audience: { userIds: number[] }; payload: object }[])
        .filter(({ kind }) => kind.startsWith('attachment'))
        .map(({ kind, audience, payload }) => [kind, ...audience.userIds, 'body' in payload ? payload.body : payload]);
    };
    const update = (attachmentId: number, spaceUsed: number) => ({ attachmentId, spaceUsed });
    expect(await told(...LIFE)).toEqual([
      ['attachment/add', 1, update(1, 10)],
      ['attachment/add', 2, update(2, 210)],
      ['attachment/add', 1, update(3, 3210)],
      ['attachment/update', 1, update(1, 3210)],
      ['attachment/update', 2, update(2, 3210)],
      ['attachment/update', 1, update(1, 3210)],
      ['attachment/update', 1, update(3, 3210)],
      ['attachment/update', 1, update(3, 3210)],
      ['attachment/update', 2, update(2, 3210)],
      ['attachment/remove', 2, { attachment: { id: 2 }, upload_space_used: 3010 }],
      ['attachment/update', 1, update(3, 3010)],
    ]);
  });
});
