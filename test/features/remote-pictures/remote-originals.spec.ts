import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { remoteSource } from '../../../src/features/remote-pictures/queries/remote-source.js';
import { FETCH_BOUNDS, type FetchBounds } from '../../../src/features/remote-pictures/remote-pictures.settings.js';
import { RemoteOriginals } from '../../../src/features/remote-pictures/services/remote-originals.js';
import { FileCache } from '../../../src/platform/file-cache/file-cache.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import { OutgoingRequests } from '../../../src/platform/outgoing/outgoing-requests.js';
import { ReachableAddresses } from '../../../src/platform/outgoing/reachable-addresses.js';
import { eventually } from '../../support/eventually.js';
import { WebServers } from '../../support/outside/outgoing/web-servers.js';
import { flatPng } from '../../support/pictures.js';

const HOST = '127.0.0.1';
const MIB = 1024 * 1024;

describe('pictures of other sites', () => {
  let web: WebServers;
  let picture: Buffer;
  let parent: string;
  let cache: FileCache;
  let now: number;

  beforeAll(async () => {
    web = await WebServers.start([HOST]);
    picture = await flatPng(8, 8);
  });
  beforeEach(async () => {
    web.asked.length = 0;
    web.handlers.clear();
    now = 0;
    parent = await mkdtemp(join(tmpdir(), 'annals-remote-'));
    cache = new FileCache({ folder: join(parent, 'cache'), maxBytes: 50 * MIB, maxAge: 60_000 });
  });
  afterEach(() => rm(parent, { recursive: true }));
  afterAll(() => web.stop());

  const originals = (bounds: Partial<FetchBounds> = {}): RemoteOriginals =>
    new RemoteOriginals(
      new OutgoingRequests(new ReachableAddresses(HOST), async () => [{ address: HOST, family: 4 }]),
      cache,
      { ...FETCH_BOUNDS, ...bounds },
      () => now,
    );
  const source = (path: string, host = 'example.org') => {
    const found = remoteSource(`http://${host}:${web.port}${path}`);
    if (!found) throw new Error('the URL cannot be used');
    return found;
  };
  const serve = (path: string, content: string | Buffer = picture) =>
    web.handlers.set(path, (_, response) => response.end(content));
  /** Serves a path only when the returned function is called. */
  const serveLater = (path: string): (() => void) => {
    let answer = (): void => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    web.handlers.set(path, async (_, response) => {
      await asked;
      response.end(picture);
    });
    return answer;
  };

  it('are fetched once for all who ask meanwhile, and count for the first of them alone', async () => {
    serve('/p');
    const remote = originals({ perAccount: 1 });
    await remote.fetch(source('/other'), 1).catch(() => {});
    await Promise.all([2, 1, 1, 3].map((account) => remote.fetch(source('/p'), account)));
    expect(web.asked).toEqual([`${HOST} /other`, `${HOST} /p`]);
    serve('/q');
    const outcomes = await Promise.allSettled([1, 4, 1].map((account) => remote.fetch(source('/q'), account)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(web.asked.length).toBe(3);
    const file = await cache.open(source('/p').key);
    file?.content.destroy();
    expect(file?.size).toBe(picture.length);
  });

  it('differ by their URLs, without a fragment', () => {
    expect(source('/p#a')).toEqual(source('/p#b'));
    expect(source('/p?a').key).not.toBe(source('/p?b').key);
  });

  it('are limited for an account and for a host', async () => {
    for (const path of ['/1', '/2', '/3', '/4', '/5']) serve(path);
    const remote = originals({ perAccount: 2, perHost: 3 });
    await remote.fetch(source('/1'), 1);
    await remote.fetch(source('/2'), 1);
    const refusal = { code: 'RATE_LIMIT_HIT', data: { 'retry-after': expect.any(Number) } };
    await expect(remote.fetch(source('/3', 'example.com'), 1)).rejects.toMatchObject(refusal);
    await remote.fetch(source('/3'), 2);
    await expect(remote.fetch(source('/4'), 3)).rejects.toMatchObject(refusal);
    await remote.fetch(source('/5', 'example.com'), 3);
    expect(web.asked.map((asked) => asked.split(' ')[1])).toEqual(['/1', '/2', '/3', '/5']);
  });

  it('are fetched a few at once, fewer for one account, and the rest wait', async () => {
    const answers = new Map(['/1', '/2', '/3', '/4'].map((path) => [path, serveLater(path)]));
    const remote = originals({ atOnce: 2, atOnceForOneAccount: 1, waiting: 2 });
    const fetched = [remote.fetch(source('/1'), 1)];
    await eventually(() => expect(web.asked.length).toBe(1));
    fetched.push(remote.fetch(source('/2'), 1), remote.fetch(source('/3'), 2));
    await eventually(() => expect(web.asked).toEqual([`${HOST} /1`, `${HOST} /3`]));
    await expect(remote.fetch(source('/4'), 1)).rejects.toThrow(UnavailableError);
    for (const answer of answers.values()) answer();
    await Promise.all(fetched);
    expect(web.asked).toEqual([`${HOST} /1`, `${HOST} /3`, `${HOST} /2`]);
    await remote.fetch(source('/4'), 1);
  });

  it('that are late are given up', async () => {
    web.handlers.set('/silent', () => {});
    web.handlers.set('/slow', (_, response) => response.write(picture));
    const remote = originals({ timeout: 50 });
    for (const path of ['/silent', '/slow'])
      await expect(remote.fetch(source(path), 1)).rejects.toMatchObject({ code: 'REMOTE_PICTURE_LATE' });
  });

  it('that could not be fetched are not asked for again at once', async () => {
    const remote = originals();
    const refused = () =>
      expect(remote.fetch(source('/p'), 1)).rejects.toMatchObject({ code: 'REMOTE_PICTURE_NOT_FOUND' });
    await refused();
    serve('/p');
    now = FETCH_BOUNDS.failuresRemembered - 1;
    await refused();
    expect(web.asked.length).toBe(1);
    now += 1;
    await remote.fetch(source('/p'), 1);
    expect(web.asked.length).toBe(2);
  });

  it('are no longer waited for once the process stops', async () => {
    web.handlers.set('/silent', () => remote.onApplicationShutdown());
    const remote = originals();
    await expect(remote.fetch(source('/silent'), 1)).rejects.toThrow(UnavailableError);
  });

  it('are not fetched while the cache cannot be used', async () => {
    serve('/p');
    const remote = originals();
    await writeFile(join(parent, 'cache'), '');
    await expect(remote.fetch(source('/p'), 1)).rejects.toThrow(UnavailableError);
    expect(web.asked).toEqual([]);
    await rm(join(parent, 'cache'));
    await remote.fetch(source('/p'), 1);
    expect(web.asked.length).toBe(1);
  });
});
