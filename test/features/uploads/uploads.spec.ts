import { describe, expect, it } from '@jest/globals';
import type { FileUploaded } from '../../../src/events/uploads/uploads.events.js';
import { filesLinkedIn } from '../../../src/features/messages/domain/message-content.js';
import { contentTypeOf } from '../../../src/features/uploads/domain/content-type.js';
import { nameInPath, shownName } from '../../../src/features/uploads/domain/file-name.js';
import { filesNamedIn, pathIdOf } from '../../../src/features/uploads/domain/file-path.js';
import {
  asUploaded,
  DeleteFile,
  decideDeleteFile,
  decideUploadFile,
  UploadFile,
  type UploadFileFacts,
  uploadLife,
} from '../../../src/features/uploads/domain/upload-file.js';
import { given, outcomeOf } from '../../support/events/given.js';
import { history } from '../../support/events/history.js';

const by = { actorId: 7, client: 'test', correlationId: 'c' };
const FILE_ID = 'abcdefghijklmnopqrstuvwx';

describe('uploading a file', () => {
  const facts: UploadFileFacts = {
    fileId: FILE_ID,
    folder: '4e',
    size: 3,
    sha256: 'hash',
    usualType: null,
    picture: undefined,
    isOwnerActive: true,
  };
  const content = (async function* () {})();
  const upload = (name: string, contentType: string, more: Partial<UploadFileFacts> = {}) =>
    outcomeOf<FileUploaded>(() => [
      decideUploadFile(new UploadFile({ file: { name, contentType, content }, ownerId: 7, by }), { ...facts, ...more }),
    ]);
  const uploaded = (name: string, pathName: string, contentType: string): FileUploaded => ({
    type: 'FileUploaded',
    data: {
      ownerId: 7,
      fileId: FILE_ID,
      size: 3,
      content: { name, pathName, folder: '4e', contentType, sha256: 'hash' },
    },
  });

  it('appends name and content type', () => {
    upload('my file.png', 'image/png').then([uploaded('my file.png', 'my-file.png', 'image/png')]);
  });

  it('takes the type from the file name if the client gives a generic one', () => {
    upload('a.pdf', 'text/plain', { usualType: 'application/pdf' }).then([
      uploaded('a.pdf', 'a.pdf', 'application/pdf'),
    ]);
  });

  it('appends the measure of a picture, and that a file is none', () => {
    for (const picture of [{ width: 300, height: 200, isAnimated: false }, null]) {
      const { data } = uploaded('p.png', 'p.png', 'image/png');
      const content = data.content && { ...data.content, picture };
      upload('p.png', 'image/png', { picture }).then([{ type: 'FileUploaded', data: { ...data, content } }]);
    }
  });

  it('is refused if the uploader has been deactivated meanwhile', () => {
    upload('a', 'text/plain', { isOwnerActive: false }).thenRefuses('USER_DEACTIVATED');
  });
});

describe('a stored file', () => {
  const [event] = history([
    'uploads',
    { type: 'FileUploaded', data: { ownerId: 7, fileId: FILE_ID, size: 3, content: null } },
  ]) as [Parameters<typeof asUploaded>[0]];
  const stored = { ...uploadLife, initialState: asUploaded(event) };
  const deleted = {
    type: 'FileDeleted' as const,
    data: { attachmentId: 1, ownerId: 7, fileId: FILE_ID, size: 3, keyId: event.id },
  };

  it('is deleted by its owner', () => {
    given(stored, [])
      .when(decideDeleteFile, new DeleteFile({ attachmentId: 1, userId: 7, by }), undefined)
      .then([deleted]);
  });

  it('is deleted by the server itself when nothing refers to it', () => {
    given(stored, [])
      .when(decideDeleteFile, new DeleteFile({ attachmentId: 1, userId: null, by }), undefined)
      .then([deleted]);
  });

  it('is deleted by no other account', () => {
    given(stored, [])
      .when(decideDeleteFile, new DeleteFile({ attachmentId: 1, userId: 8, by }), undefined)
      .thenRefuses('INVALID_ATTACHMENT');
  });

  it('is deleted once', () => {
    given(stored, [deleted])
      .when(decideDeleteFile, new DeleteFile({ attachmentId: 1, userId: 7, by }), undefined)
      .thenRefuses('INVALID_ATTACHMENT');
  });

  it('that does not exist is not deleted', () => {
    given(uploadLife, [])
      .when(decideDeleteFile, new DeleteFile({ attachmentId: 9, userId: 7, by }), undefined)
      .thenRefuses('INVALID_ATTACHMENT');
  });
});

describe('names of files', () => {
  it.each([
    ['a/b\\c.txt', 'c.txt', 'c.txt'],
    ['', 'uploaded-file', 'uploaded-file'],
    ['...', 'uploaded-file', 'uploaded-file'],
    ['a..b', 'a..b', 'a.b'],
    ['-rf', '-rf', 'rf'],
    ['a\0b', 'ab', 'ab'],
    ['half \ud83d a pair', 'half  a pair', 'half-a-pair'],
    ['ﬁle①.txt', 'ﬁle①.txt', 'file1.txt'],
    ['हिन्दी.txt', 'हिन्दी.txt', 'हिन्दी.txt'],
    ['(1) [2] {3}', '(1) [2] {3}', '1-2-3'],
  ])('%j is shown as %j, and is %j in a path', (given, shown, inPath) => {
    expect(shownName(given)).toBe(shown);
    expect(nameInPath(shown)).toBe(inPath);
  });
});

it.each([
  ['image/PNG', null, 'image/png'],
  ['text/html; charset=utf-8', null, 'text/html'],
  ['text/plain', null, 'text/plain'],
  ['application/octet-stream', 'video/mp4', 'video/mp4'],
  ['image/png', 'video/mp4', 'image/png'],
  ['', null, 'application/octet-stream'],
  ['x', 'image/gif', 'image/gif'],
  ['a/b\r\nSet-Cookie: x', null, 'application/octet-stream'],
  [`image/${'x'.repeat(100)}`, null, 'application/octet-stream'],
])('a file of declared type %j with a name of type %j has type %j', (said, usual, expected) => {
  expect(contentTypeOf(said, usual)).toBe(expected);
});

describe('links in content', () => {
  const path = pathIdOf({ fileId: FILE_ID, pathName: 'žluť.txt' });
  const known = new Map([
    [path, { id: 5, contentType: 'text/plain' }],
    ['1/4e/bbbbbbbbbbbbbbbbbbbbbbbb/b', { id: 3, contentType: 'image/png' }],
    ['1/bbbbbbbbbbbbbbbbbbbbbbbb/b', { id: 2, contentType: 'image/png' }],
  ]);

  it('are found in text, once each', () => {
    const text = `[a](/user_uploads/${path}) http://x/user_uploads/download/${path} user_uploads/1/short/x`;
    expect(filesNamedIn(text)).toEqual([FILE_ID]);
    expect(filesNamedIn(`[a](/user_uploads/${pathIdOf({ folder: '4e', fileId: FILE_ID, pathName: 'a' })})`)).toEqual([
      FILE_ID,
    ]);
  });

  it.each([
    [`<a href="/user_uploads/${path}">x</a>`, [5]],
    [`<a href="/user_uploads/${encodeURI(path)}">x</a> <img src="/user_uploads/1/bbbbbbbbbbbbbbbbbbbbbbbb/b">`, [2, 5]],
    [`<a class="c" href="https://chat.example.org/user_uploads/download/${path}#t=1">x</a>`, [5]],
    ['<a href="/user_uploads/1/4e/bbbbbbbbbbbbbbbbbbbbbbbb/b">x</a>', [3]],
    ['<a href="/user_uploads/1/4f/bbbbbbbbbbbbbbbbbbbbbbbb/b">x</a>', []],
    [`<p>/user_uploads/${path}</p>`, []],
    [`<code>href=&quot;/user_uploads/${path}&quot;</code>`, []],
    [`<a href="/elsewhere/user_uploads/${path}">x</a>`, []],
    ['<a href="/user_uploads/1/bbbbbbbbbbbbbbbbbbbbbbbb/%ff">x</a>', []],
    ['<a href="/user_uploads/1/bbbbbbbbbbbbbbbbbbbbbbbb/other">x</a>', []],
  ])('are found in rendered HTML: %s', (html, ids) => {
    expect(filesLinkedIn(html, known)).toEqual(ids);
  });
});
