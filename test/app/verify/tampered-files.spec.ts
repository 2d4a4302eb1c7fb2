import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyFiles } from '../../../src/app/verify/verify-files.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { FILE_STORE, type FileStore, newFileName } from '../../../src/platform/file-store/file-store.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { dice, oneOf, type Roll } from '../../support/dice.js';
import { newEvent } from '../../support/engines/event-store-events.js';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { override } from '../../support/override.js';
import { animatedGif, flatPng } from '../../support/pictures.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';
import { uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { run } from '../../support/servers/command-line.js';

const UPLOADS = 8;
const SEEDS = Array.from({ length: 60 }, (_, n) => n + 1);
const DIGEST = '[0-9a-f]{64}';

describe('stored files that are compared with the log', () => {
  let engines: OwnEngines;
  let annals: Annals;
  let owner: Member;
  let files: FileStore;
  /** The names of all stored files, with the event of each. */
  let named: readonly (readonly [fileId: string, event: string])[];

  const sources = () => ({
    eventStore: annals.app.get<EventStore>(EVENT_STORE),
    contentKeys: annals.app.get<ContentKeys>(CONTENT_KEYS),
    fileStore: files,
  });

  /** What the command says, line by line, without its progress; the last line is its error, if there is one. */
  async function said(own: Partial<ReturnType<typeof sources>> = {}, most?: number): Promise<string[]> {
    let text = '';
    const output = { write: (more: string) => (text += more) };
    const goOn = async (): Promise<void> => {};
    const failed = await verifyFiles({ ...sources(), ...own }, { output, goOn, ...(most && { most }) }).then(
      () => [],
      (error: Error) => [error.message],
    );
    return [...text.split('\n').filter((line) => line !== '' && !line.startsWith('Comparing')), ...failed];
  }
  const right = (count = named.length) => [
    expect.stringMatching(
      new RegExp(`^The files are right: ${count} files, [\\d,]+ bytes; [\\d,]+ bytes a second\\.$`),
    ),
  ];
  const put = async (name: string, bytes: Uint8Array): Promise<void> => {
    await files.receive(name, Readable.from([bytes]));
    await files.commit(name);
  };
  const bytesOf = async (name: string, store = files): Promise<Buffer> => {
    const file = await store.read(name);
    if (!file) throw new Error(`there is no file ${name}`);
    return buffer(file.content);
  };
  const fileIdOf = (url: string): string => url.split('/').at(-2) ?? '';

  beforeAll(async () => {
    engines = await ownEngines();
    annals = await Annals.on(engines);
    files = annals.app.get<FileStore>(FILE_STORE);
    owner = await annals.owner();
    for (let n = 0; n < UPLOADS; n++) await uploaded(annals.url, owner, randomBytes(1 + n * 40_000), `${n}.bin`);
    await sendPictures(annals.url, owner, '/users/me/avatar', await flatPng(30, 10));
    await sendPictures(annals.url, owner, '/realm/emoji/moving', await animatedGif(20, 20, 3));
    for (const path of ['icon', 'logo?night=false', 'logo?night=true'])
      await sendPictures(annals.url, owner, `/realm/${path}`, await flatPng(30, 10));
    // The pictures that are replaced are removed.
    await sendPictures(annals.url, owner, '/users/me/avatar', await flatPng(10, 30));
    const all: [string, string][] = [];
    for (const { type, id, stream, revision, data } of await annals.events())
      for (const field of ['fileId', 'mediumFileId', 'stillFileId']) {
        const fileId: unknown = Reflect.get(data, field);
        if (typeof fileId === 'string' && (await files.read(fileId)) !== null)
          all.push([fileId, `${type} ${id} (${stream}@${revision})`]);
      }
    named = all;
  });
  afterAll(() => annals.stop());

  it('are right as they are, uploads and pictures, however few are remembered at once', async () => {
    expect(named).toHaveLength(UPLOADS + 2 + 2 + 3);
    expect(await said()).toEqual(right());
    expect(await said({}, 1)).toEqual(right());
  });

  /** @returns the line that names it, and the count of faults */
  async function tamper(
    roll: Roll,
  ): Promise<{ readonly line: string; readonly counts: string; undo(): Promise<void> }> {
    const [fileId, event] = oneOf(named, roll);
    const bytes = await bytesOf(fileId);
    const undo = async (): Promise<void> => {
      await files.remove([fileId]);
      await put(fileId, bytes);
    };
    const changeTo = async (others: Buffer, how: string) => {
      await files.remove([fileId]);
      await put(fileId, others);
      return { line: `^changed: file ${fileId} of ${event}: ${how}$`, counts: '0 missing, 1 changed, 0 extra', undo };
    };
    const sizes = (other: number): string => `it has ${other} bytes instead of ${bytes.length}`;
    switch (roll(5)) {
      case 0:
        await files.remove([fileId]);
        return { line: `^missing: file ${fileId} of ${event}$`, counts: '1 missing, 0 changed, 0 extra', undo };
      case 1: {
        const flipped = Buffer.from(bytes);
        const place = roll(bytes.length);
        flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << roll(8)), place);
        return changeTo(flipped, `its SHA-256 is ${DIGEST} instead of ${DIGEST}`);
      }
      case 2: {
        const left = roll(bytes.length);
        return changeTo(bytes.subarray(0, left), sizes(left));
      }
      case 3:
        return changeTo(Buffer.concat([bytes, Buffer.alloc(1)]), sizes(bytes.length + 1));
      default: {
        const other = newFileName();
        await put(other, randomBytes(roll(100)));
        const remove = () => files.remove([other]);
        return {
          line: `^extra: file ${other}: no event names it$`,
          counts: '0 missing, 0 changed, 1 extra',
          undo: remove,
        };
      }
    }
  }

  it.each(SEEDS)('are named where one is missing, changed or extra (seed %i)', async (seed) => {
    const roll = dice(seed * 7919);
    const { line, counts, undo } = await tamper(roll);
    const lines = await said({}, oneOf([4, 1000], roll));
    await undo();
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(line.replaceAll(/[()]/g, '\\$&'))),
      expect.stringMatching(/^The files are not right: \d+ files/),
      `files: ${counts}`,
    ]);
  });

  it('are all named', async () => {
    const [[first = '', one = ''] = [], [second = '', two = ''] = []] = named;
    const all = [await bytesOf(first), await bytesOf(second)] as const;
    await files.remove([first, second]);
    await put(second, Buffer.concat([all[1], all[0]]));
    const lines = await said();
    await files.remove([second]);
    await put(first, all[0]);
    await put(second, all[1]);
    expect(lines).toEqual([
      `missing: file ${first} of ${one}`,
      `changed: file ${second} of ${two}: it has ${all[0].length + all[1].length} bytes instead of ${all[1].length}`,
      expect.stringMatching(/^The files are not right/),
      'files: 1 missing, 1 changed, 0 extra',
    ]);
  });

  it('are compared by the command, beside the running server', async () => {
    const verify = () => run(['verify', '--files'], engines.environment);
    expect(await verify()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/\nThe files are right: \d+ files.*, [\d,]+ bytes; [\d,]+ bytes a second\.\n$/),
    });
    const [[fileId = '', event = ''] = []] = named;
    const bytes = await bytesOf(fileId);
    await files.remove([fileId]);
    const { code, stdout, stderr } = await verify();
    await put(fileId, bytes);
    expect([code, stderr]).toEqual([1, 'annals: files: 1 missing, 0 changed, 0 extra\n']);
    expect(stdout).toContain(`\nmissing: file ${fileId} of ${event}\n`);
  });

  it('are all named by the command, one byte of each picture changed', async () => {
    const pictures = named.filter(([, event]) => !event.startsWith('FileUploaded'));
    const bytes = await Promise.all(pictures.map(([fileId]) => bytesOf(fileId)));
    const replace = async (by: (right: Buffer) => Buffer) => {
      await files.remove(pictures.map(([fileId]) => fileId));
      for (const [n, [fileId]] of pictures.entries()) await put(fileId, by(bytes[n] ?? Buffer.alloc(0)));
    };
    await replace((right) => {
      const flipped = Buffer.from(right);
      flipped.writeUInt8(flipped.readUInt8(right.length - 1) ^ 1, right.length - 1);
      return flipped;
    });
    const { code, stdout, stderr } = await run(['verify', '--files'], engines.environment);
    await replace((right) => right);
    expect([code, stderr]).toEqual([1, `annals: files: 0 missing, ${pictures.length} changed, 0 extra\n`]);
    for (const [fileId, event] of pictures)
      expect(stdout).toContain(`\nchanged: file ${fileId} of ${event}: its SHA-256 is `);
  });

  it('are no fault while they are stored or deleted', async () => {
    const fileId = fileIdOf(await uploaded(annals.url, owner, 'about to be deleted', 'late.txt'));
    const { attachments } = (await owner.api.get('/attachments')).body;
    const { id } = attachments.find(({ path_id }: { path_id: string }) => path_id.includes(fileId));
    let isStored = false;
    const beside = override(files, {
      // It is deleted, and another is stored, after the log was read.
      read: async (name, range) => {
        if (name === fileId) await owner.api.delete(`/attachments/${id}`);
        return files.read(name, range);
      },
      committed: async function* () {
        if (!isStored) await uploaded(annals.url, owner, 'just now', 'new.txt');
        isStored = true;
        await files.receive(newFileName(), Readable.from([Buffer.from('has no event yet')]));
        yield* files.committed();
      },
    });
    expect(await said({ fileStore: beside })).toEqual(right());
  });

  it('are extra where a deletion has left them', async () => {
    const fileId = fileIdOf(await uploaded(annals.url, owner, 'deleted', 'gone.txt'));
    const { attachments } = (await owner.api.get('/attachments')).body;
    const { id } = attachments.find(({ path_id }: { path_id: string }) => path_id.includes(fileId));
    await owner.api.delete(`/attachments/${id}`);
    await put(fileId, Buffer.from('deleted'));
    const long = override(sources().eventStore, {
      readAll: async (options) => {
        const page = await sources().eventStore.readAll(options);
        const before = ({ at }: { readonly at: number }) => ({ at: at - 120_000 });
        const events = page.events.map((event) => ({
          ...event,
          metadata: { ...event.metadata, ...before(event.metadata) },
        }));
        return { ...page, events };
      },
    });
    const lines = await said({ eventStore: long });
    await files.remove([fileId]);
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`^extra: file ${fileId} of FileUploaded .*: FileDeleted .* \\(upload-${id}@0\\) has deleted it$`),
      ),
      expect.stringMatching(/^The files are not right/),
      'files: 0 missing, 0 changed, 1 extra',
    ]);
  });

  it('are without a digest if the event is older than digests', async () => {
    const [emojiId, authorId] = [1000, owner.id];
    const [fileId, stillFileId] = [newFileName(), newFileName()];
    await put(fileId, randomBytes(9));
    await put(stillFileId, randomBytes(9));
    const version1 = newEvent('CustomEmojiAdded', { emojiId, name: 'older', authorId, fileId, stillFileId });
    await sources().eventStore.append('customEmoji', [version1], 'any');
    expect(await said()).toEqual([expect.stringMatching(/^The files are right: \d+ files \(2 without a digest\), /)]);
    await files.remove([fileId]);
    expect(await said()).toContainEqual(expect.stringContaining(`missing: file ${fileId} of CustomEmojiAdded `));
  });
});
