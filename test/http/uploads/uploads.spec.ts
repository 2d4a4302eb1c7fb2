import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue } from '../../support/requests/event-queue.js';
import { ask, fileOf, filesAreOnDisk, filesOnDisk, upload } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const URL_OF_FILE = /^\/user_uploads\/1\/[0-9a-f]{2}\/[A-Za-z0-9_-]{24}\/(.+)$/;

describe('POST /user_uploads', () => {
  let annals: Annals;
  let owner: Member;
  let cordelia: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_MAX_FILE_UPLOAD_MIB: '1' });
    owner = await annals.owner();
    cordelia = await annals.user('cordelia');
  });
  afterAll(() => annals.stop());

  const send = (...files: File[]) => upload(annals.url, cordelia, ...files);
  const raw = (body: string | Buffer, contentType: string) =>
    ask(annals.url, '/api/v1/user_uploads', cordelia, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: { 'Content-Type': contentType },
    });
  const part = (disposition: string, content = 'content', more = '') =>
    raw(
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n--b--\r\n`,
      'multipart/form-data; boundary=b',
    );
  const stored = async () => (await filesOnDisk(annals.dataDirectory)).kept;
  const incoming = async () => (await filesOnDisk(annals.dataDirectory)).incoming;

  it('stores a file, answers its URL, and sends the file back to its owner', async () => {
    const before = await annals.head();
    const bytes = Buffer.from('Never, never, never, never, never!');
    const { status, body } = await send(fileOf(bytes, 'last words.txt', 'text/plain'));

    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      url: expect.stringMatching(URL_OF_FILE),
      uri: body.url,
      filename: 'last words.txt',
    });
    expect(body.url).toMatch(/\/last-words\.txt$/);
    expect(await annals.events(undefined, before)).toEqual([
      expect.objectContaining({
        stream: 'uploads',
        type: 'FileUploaded',
        data: {
          ownerId: cordelia.id,
          fileId: body.url.split('/')[4],
          size: bytes.length,
          content: {
            name: 'last words.txt',
            pathName: 'last-words.txt',
            folder: body.url.split('/')[3],
            contentType: 'text/plain',
            sha256: createHash('sha256').update(bytes).digest('hex'),
          },
        },
        metadata: expect.objectContaining({ actorId: cordelia.id }),
      }),
    ]);
    const answer = await ask(annals.url, body.url, cordelia);
    expect(answer.status).toBe(200);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(await incoming()).toEqual([]);
    if (filesAreOnDisk) expect(await stored()).toContain(body.url.split('/')[4]);
  });

  const onOwnDisk = filesAreOnDisk ? it : it.skip;

  onOwnDisk('stores the file name only sealed in the log', async () => {
    await send(fileOf('x', 'a-name-that-is-nowhere.txt'));
    const log = await readFile(join(annals.dataDirectory, 'log.sqlite'));
    const wal = await readFile(join(annals.dataDirectory, 'log.sqlite-wal'));
    expect(log.includes('a-name-that-is-nowhere') || wal.includes('a-name-that-is-nowhere')).toBe(false);
  });

  it('accepts an empty file and a file of exactly the allowed size', async () => {
    expect((await send(fileOf('', 'empty.txt'))).status).toBe(200);
    const largest = Buffer.alloc(1024 * 1024, 7);
    const { status, body } = await send(fileOf(largest, 'largest.bin'));
    expect(status).toBe(200);
    expect((await ask(annals.url, body.url, cordelia)).bytes.equals(largest)).toBe(true);
  });

  it.each([
    ['one byte too large', 1024 * 1024 + 1],
    ['far too large', 10 * 1024 * 1024],
  ])('refuses a file that is %s, and stores nothing', async (_, size) => {
    const before = { head: await annals.head(), files: await stored() };
    const { status, body } = await send(fileOf(Buffer.alloc(size), 'long.bin'));
    expect({ status, body }).toEqual({
      status: 400,
      body: { result: 'error', msg: 'The file is larger than the limit of 1 MiB', code: 'BAD_REQUEST' },
    });
    expect(await annals.head()).toBe(before.head);
    expect(await stored()).toEqual(before.files);
    expect(await incoming()).toEqual([]);
  });

  it('refuses a request without a file or with two files, and stores nothing', async () => {
    const before = { head: await annals.head(), files: await stored() };
    const missing = {
      result: 'error',
      msg: "Missing 'file': send one file as multipart/form-data",
      code: 'BAD_REQUEST',
    };
    const form = new FormData();
    form.append('file', 'only text');
    const asked = [
      send(),
      ask(annals.url, '/api/v1/user_uploads', cordelia, { method: 'POST' }),
      ask(annals.url, '/api/v1/user_uploads', cordelia, { method: 'POST', body: form }),
      ask(annals.url, '/api/v1/user_uploads', cordelia, { method: 'POST', body: new URLSearchParams({ file: 'x' }) }),
      raw('{}', 'application/json'),
      raw('', 'multipart/form-data; boundary=b'),
    ];
    for (const { status, body } of await Promise.all(asked))
      expect({ status, body }).toMatchObject({ status: 400, body: { ...missing } });

    const two = await send(fileOf('one', 'one.txt'), fileOf('two', 'two.txt'));
    expect(two).toMatchObject({
      status: 400,
      body: { result: 'error', msg: 'Only one file can be uploaded at a time', code: 'BAD_REQUEST' },
    });
    expect(await annals.head()).toBe(before.head);
    expect(await stored()).toEqual(before.files);
    expect(await incoming()).toEqual([]);
  });

  it.each([
    ['a body without a boundary', 'x', 'multipart/form-data'],
    ['a body that is not multipart', 'x'.repeat(100), 'multipart/form-data; boundary=b'],
    [
      'a file that ends before the closing boundary',
      '--b\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\nhalf',
      'multipart/form-data; boundary=b',
    ],
    ['another content type', 'x', 'image/png'],
  ])('refuses %s', async (_, body, contentType) => {
    const before = await annals.head();
    const answer = await raw(body, contentType);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body.result).toBe('error');
    expect(await annals.head()).toBe(before);
    expect(await incoming()).toEqual([]);
  });

  it.each([
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini', 'system.ini'],
    ['..', 'uploaded-file', 'uploaded-file'],
    ['.', 'uploaded-file', 'uploaded-file'],
    ['/', 'uploaded-file', 'uploaded-file'],
    ['.htaccess', '.htaccess', 'htaccess'],
    ['žluťoučký kůň.txt', 'žluťoučký kůň.txt', 'žluťoučký-kůň.txt'],
    ['日本語 ファイル.pdf', '日本語 ファイル.pdf', '日本語-ファイル.pdf'],
    ['tab\there.txt', 'tabhere.txt', 'tabhere.txt'],
    ['gpj.\u202eexe', 'gpj.exe', 'gpj.exe'],
    ['a<b>&"c;d.txt', 'a<b>&"c;d.txt', 'abcd.txt'],
    ['🎉🎉', '🎉🎉', 'uploaded-file'],
  ])('stores a file named %j as %j, with %j in its URL', async (given, shown, inPath) => {
    const { status, body } = await send(fileOf('x', given));
    expect({ status, filename: body.filename }).toEqual({ status: 200, filename: shown });
    expect(decodeURIComponent(URL_OF_FILE.exec(body.url)?.[1] ?? '')).toBe(inPath);
    expect((await ask(annals.url, body.url, cordelia)).bytes.toString()).toBe('x');
  });

  it('shortens a name that is too long, and keeps its extension', async () => {
    const { body } = await send(fileOf('x', `${'x'.repeat(10_000)}.tar`));
    expect(body.filename).toBe(`${'x'.repeat(251)}.tar`);
    expect(URL_OF_FILE.exec(body.url)?.[1]).toBe(`${'x'.repeat(76)}.tar`);
    expect((await ask(annals.url, body.url, cordelia)).status).toBe(200);
  });

  it('accepts a file under any field name, with or without a type, and every encoding of its name', async () => {
    const named = async (disposition: string, more = '') => (await part(disposition, 'content', more)).body.filename;
    // As python-zulip-api sends it with requests: the field has the name of the file, and no type.
    expect(await named('name="report.pdf"; filename="report.pdf"')).toBe('report.pdf');
    expect(await named('name="x"; filename*=utf-8\'\'%C5%BElu%C5%A5.txt')).toBe('žluť.txt');
    expect(await named('name="x"; filename=plain.txt', 'Content-Type: text/plain; charset=utf-8\r\n')).toBe(
      'plain.txt',
    );
  });

  it('checks the credentials before it reads the file', async () => {
    const before = await annals.head();
    const nobody = await upload(annals.url, null, fileOf(Buffer.alloc(100_000), 'x'));
    expect(nobody).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    const wrong = { ...cordelia, apiKey: 'x'.repeat(32) };
    expect(await upload(annals.url, wrong, fileOf('x', 'x'))).toMatchObject({ status: 401 });
    expect(await annals.head()).toBe(before);
    expect(await incoming()).toEqual([]);
  });

  it('tells the uploader alone', async () => {
    const own = await EventQueue.register(cordelia.api, { event_types: ['attachment'] });
    const other = await EventQueue.register(owner.api, { event_types: ['attachment'] });
    const { body } = await send(fileOf('12345', 'told.txt'));
    const { attachments, upload_space_used } = (await cordelia.api.get('/attachments')).body;
    expect(await own.drain()).toEqual([
      {
        id: expect.any(Number),
        type: 'attachment',
        op: 'add',
        attachment: {
          id: attachments.at(-1).id,
          name: 'told.txt',
          path_id: body.url.slice('/user_uploads/'.length),
          size: 5,
          create_time: expect.any(Number),
          messages: [],
        },
        upload_space_used,
      },
    ]);
    expect(await other.drain()).toEqual([]);
  });

  it('has its size limits in the register response', async () => {
    const { body } = await owner.api.post('/register', { fetch_event_types: ['realm'] });
    expect(body).toMatchObject({ max_file_upload_size_mib: 1, realm_upload_quota_mib: null });
  });
});
