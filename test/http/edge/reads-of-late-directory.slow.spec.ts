import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DirectoryFollower } from '../../../src/directory/directory-follower.js';
import { HeldLog } from '../../support/engines/held-log.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { basic } from '../../support/servers/http-app.js';

/** The most reads of one caller at work, and some more. */
const READS = 10;

describe('reads that wait for a late directory', () => {
  const log = new HeldLog();
  let annals: Annals;
  let bob: Member;

  beforeEach(async () => {
    annals = await Annals.on(await ownEngines(), {}, { open: log.open });
    bob = await annals.user('bob');
  });
  afterEach(async () => {
    log.release();
    await annals.stop();
  });

  /** Sends so many reads, each on a connection of its own. @returns the connections of client and server */
  async function readers(count: number): Promise<{ mine: Socket[]; theirs: Socket[] }> {
    const theirs: Socket[] = [];
    const server = annals.app.getHttpServer();
    const received = ({ socket }: IncomingMessage) => void theirs.push(socket);
    server.on('request', received);
    const read = `GET /api/v1/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(bob)}\r\n\r\n`;
    const { hostname, port } = new URL(annals.url);
    const mine = Array.from({ length: count }, () => connect(Number(port), hostname).setEncoding('utf8'));
    for (const socket of mine) socket.write(read);
    await eventually(() => expect(theirs).toHaveLength(count));
    server.off('request', received);
    return { mine, theirs };
  }

  it('take no turn from their caller if their clients hang up meanwhile', async () => {
    const follower = annals.app.get(DirectoryFollower);
    log.holdDirectory();
    const created = annals.user('carol');
    await eventually(() => expect(follower.isFresh()).toBe(false));
    const { mine, theirs } = await readers(READS);
    for (const socket of mine) socket.destroy();
    await eventually(() => expect(theirs.filter(({ destroyed }) => destroyed)).toHaveLength(READS));
    log.release();
    await created;
    await eventually(() => expect(follower.isFresh()).toBe(true));
    expect((await bob.api.get('/users/me')).status).toBe(200);
  });

  it('are answered 503 if it stays late', async () => {
    log.holdDirectory();
    const created = annals.user('carol');
    await eventually(() => expect(annals.app.get(DirectoryFollower).isFresh()).toBe(false));
    expect((await bob.api.get('/users/me')).status).toBe(503);
    log.release();
    await created;
  });
});
