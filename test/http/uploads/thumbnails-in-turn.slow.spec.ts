import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PictureMaker } from '../../../src/platform/pictures/picture-maker.js';
import { PICTURE_QUEUE_BOUNDS } from '../../../src/platform/pictures/picture-queue.js';
import { eventually } from '../../support/eventually.js';
import { png } from '../../support/pictures.js';
import { asker } from '../../support/requests/asker.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';
import { ask, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const { atOnce, mostWaitingEach, mostWaiting } = PICTURE_QUEUE_BOUNDS;

describe('pictures of a server that makes many', () => {
  let annals: Annals;
  let maker: PictureMaker;
  let cordelia: Member;
  let hamlet: Member;
  let picture: Buffer;
  /** Ends the pictures that keep the server busy. */
  let release: () => Promise<unknown>;

  beforeAll(async () => {
    annals = await Annals.start();
    maker = annals.app.get(PictureMaker);
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
    picture = await png(1000, 600);
  });
  beforeEach(() => {
    release = async () => {};
  });
  afterEach(() => release());
  afterAll(() => annals.stop());

  /** Keeps the makers busy, and has so many requests of each account wait. */
  function fill(waiting: readonly [account: number, requests: number][]): void {
    const originals: PassThrough[] = [];
    let isReleased = false;
    const occupy = (account: number, index: number) =>
      maker.make({
        asker: { ...asker, account },
        task: { maxWidth: 9, maxHeight: 9, animated: false, mayBeOriginal: false },
        // All that wait are one picture, so the server need not make a thousand at the end.
        key: index < atOnce ? `busy ${index}` : 'waiting',
        open: async () => {
          const original = new PassThrough();
          originals.push(original);
          if (isReleased) original.end();
          return original;
        },
      });
    const accounts = [
      ...Array<number>(atOnce).fill(-1),
      ...waiting.flatMap(([id, count]) => Array<number>(count).fill(id)),
    ];
    const all = accounts.map(occupy);
    release = () => {
      isReleased = true;
      for (const original of originals) original.end();
      return Promise.all(all);
    };
  }

  const thumbnailOf = async (who: Member): Promise<string> => {
    const url = await uploaded(annals.url, who, picture, 'p.png', 'image/png');
    return `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
  };

  it('are refused to an account of which too many wait, whatever they are for, and not to another one', async () => {
    const paths = [await thumbnailOf(cordelia), await thumbnailOf(hamlet)] as const;
    fill([[cordelia.id, mostWaitingEach]]);
    const avatar = () => sendPictures(annals.url, cordelia, '/users/me/avatar', picture);
    for (const { status, headers, body } of [await ask(annals.url, paths[0], cordelia), await avatar()]) {
      expect([status, headers.get('retry-after')]).toEqual([429, '5']);
      expect(body).toMatchObject({ result: 'error', code: 'RATE_LIMIT_HIT', 'retry-after': 5 });
      expect(body.msg).toMatch(/\w/);
    }
    const quiet = ask(annals.url, paths[1], hamlet);
    await eventually(async () => expect(maker.waiting).toBe(mostWaitingEach + 1));

    await release();

    expect(await quiet).toMatchObject({ status: 200 });
    expect(await ask(annals.url, paths[0], cordelia)).toMatchObject({ status: 200 });
    expect(await avatar()).toMatchObject({ status: 200 });
  });

  it('are refused to everybody while too many wait in all', async () => {
    const path = await thumbnailOf(hamlet);
    const others = Array.from({ length: mostWaiting / mostWaitingEach }, (_, n): [number, number] => [
      -2 - n,
      mostWaitingEach,
    ]);
    fill(others);
    const { status, headers, body } = await ask(annals.url, path, hamlet);
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '5', 'SERVICE_UNAVAILABLE']);
    await release();
    expect(await ask(annals.url, path, hamlet)).toMatchObject({ status: 200 });
  });

  it('are not made for clients that hang up while they wait', async () => {
    const path = await thumbnailOf(hamlet);
    fill([[cordelia.id, 1]]);
    const client = new AbortController();
    const { signal } = client;
    const body = new FormData();
    body.append('filename', new Blob([new Uint8Array(picture)]), 'p.png');
    const given = [
      ask(annals.url, path, hamlet, { signal }),
      ask(annals.url, '/api/v1/users/me/avatar', hamlet, { method: 'POST', body, signal }),
    ];
    const answers = Promise.allSettled(given);
    await eventually(async () => expect(maker.waiting).toBe(3));

    client.abort();

    await eventually(async () => expect(maker.waiting).toBe(1));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await release();
    expect(await annals.events(`avatar-${hamlet.id}`)).toEqual([]);
  });
});
