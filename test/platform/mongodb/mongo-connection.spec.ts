import { once } from 'node:events';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { MongoContentKeys } from '../../../src/platform/content-keys/mongodb/mongo-content-keys.js';
import { MongoDocumentStore } from '../../../src/platform/documents/mongodb/mongo-document-store.js';
import { StartRefused } from '../../../src/platform/kernel/start-refused.js';
import { MongoConnection } from '../../../src/platform/mongodb/mongo-connection.js';
import { databaseOf } from '../../../src/platform/mongodb/mongo-url.js';
import { describeMongodb, ownDatabase } from '../../support/engines/mongodb.js';
import { answeringServer, HELLO } from '../../support/outside/answering-server.js';

const TIMEOUTS = { findServer: 1000, call: 1000 };

/** The message of a refused start, which is one line without the password. */
async function refusal(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(StartRefused);
  const { message } = error as StartRefused;
  expect(message).not.toMatch(/\n|s3cret/);
  return message;
}

const refusedUrl = (url: string) => refusal(MongoConnection.open(url, TIMEOUTS));

describe('an address of MongoDB', () => {
  it.each([
    ['mongodb://localhost', 'annals'],
    ['mongodb://localhost:27017/', 'annals'],
    ['mongodb://u:s3cret@a,b:1/?replicaSet=rs', 'annals'],
    ['mongodb://localhost/team', 'team'],
    ['mongodb+srv://example.org/team%2D1?tls=true', 'team-1'],
  ])('%s names the database %s', (url, name) => {
    expect(databaseOf(url)).toBe(name);
  });

  it.each([
    ['', 'no address of MongoDB'],
    ['http://localhost', 'no address of MongoDB'],
    ['mongodb://', 'no address of MongoDB'],
    ['mongodb://localhost/a.b', 'does not allow'],
    ['mongodb://localhost/100%', 'does not allow'],
    [`mongodb://localhost/${'x'.repeat(64)}`, 'does not allow'],
    ['mongodb://u:s3cret@localhost:1/?nonsense=1', 'MONGODB_URL'],
    ['mongodb://u:s3cret@local host:1/', 'MONGODB_URL'],
    ['mongodb://u:s3:cret@@localhost:1/', 'MONGODB_URL'],
    ['mongodb://u:s3cret@localhost:1/?authMechanism=NONE', 'MONGODB_URL'],
    ['mongodb+srv://u:s3cret@localhost:1/', 'MONGODB_URL'],
  ])('%s is refused: %s', async (url, says) => {
    expect(await refusedUrl(url)).toContain(says);
  });
});

describe('a server', () => {
  it('that does not listen is named in the refusal', async () => {
    expect(await refusedUrl('mongodb://u:s3cret@127.0.0.1:1/')).toMatch(
      /MongoDB at 127\.0\.0\.1:1 does not answer: start it, .*ECONNREFUSED/,
    );
  });

  it('that accepts connections and never answers is refused after the timeout', async () => {
    const silent = await answeringServer(() => null);
    expect(await refusedUrl(silent.url)).toContain('does not answer');
    await silent.close();
  });

  it('that is too old is refused', async () => {
    const old = await answeringServer(() => ({ ...HELLO, maxWireVersion: 8 }));
    expect(await refusedUrl(old.url)).toContain('too old: MongoDB 4.4 or newer');
    await old.close();
  });

  it('that denies access is refused with a hint at user and password', async () => {
    const closed = await answeringServer((command) =>
      'hello' in command || 'ismaster' in command
        ? HELLO
        : { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'command requires authentication' },
    );
    expect(await refusedUrl(closed.url.replace('//', '//u:s3cret@'))).toMatch(
      /user or password|denies access.*readWrite/,
    );
    expect(await refusedUrl(closed.url)).toContain('put user:password@ before the host in MONGODB_URL');
    await closed.close();
  });

  it('of another replica set is refused with a hint at replicaSet', async () => {
    const member = await answeringServer(() => ({ ...HELLO, setName: 'rs0', hosts: ['127.0.0.1'] }));
    expect(await refusedUrl(`${member.url}/?replicaSet=other`)).toContain('correct replicaSet');
    await member.close();
  });

  it('whose replica set has members that cannot be reached is refused with their names', async () => {
    const hosts = ['mongo.invalid:27017'];
    const member = await answeringServer(() => ({ ...HELLO, setName: 'rs0', me: hosts[0], hosts }));
    expect(await refusedUrl(`${member.url}/?replicaSet=rs0`)).toMatch(
      /set of mongo\.invalid:27017, where nobody answers.*directConnection=true/,
    );
    await member.close();
  });

  it('without a primary is refused with a hint at initiating the replica set', async () => {
    const bare = await answeringServer(() => ({ ...HELLO, isWritablePrimary: false, isreplicaset: true }));
    expect(await refusedUrl(`${bare.url}/?replicaSet=rs0`)).toContain('has no primary: initiate its replica set');
    await bare.close();
  });

  it('that stops answering after the handshake is refused after the timeout', async () => {
    const silent = await answeringServer((command) => ('buildInfo' in command ? null : HELLO));
    expect(await refusedUrl(silent.url)).toContain('does not answer');
    await silent.close();
  });

  it('that refuses the password is told apart from one that does not answer', async () => {
    const closed = await answeringServer((command) =>
      'hello' in command || 'ismaster' in command
        ? { ...HELLO, saslSupportedMechs: ['SCRAM-SHA-256'] }
        : { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' },
    );
    const url = closed.url.replace('//', '//u:s3cret@');
    expect(await refusedUrl(url)).toMatch(/user or password/);
    await closed.close();
  });

  it('without TLS is told apart from one with TLS', async () => {
    const plain = await answeringServer(() => HELLO);
    expect(await refusedUrl(`${plain.url}/?tls=true`)).toMatch(/does not speak TLS|remove tls=true/);
    await plain.close();

    const secure = createTlsServer({}).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as { port: number };
    expect(await refusedUrl(`mongodb://127.0.0.1:${port}/`)).toContain('add tls=true');
    secure.close();
  });

  it('that closes connections is told apart from one that does not answer', async () => {
    const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    const { port } = rude.address() as { port: number };
    expect(await refusedUrl(`mongodb://127.0.0.1:${port}/`)).toContain('closes every connection');
    rude.close();
  });

  const server8 = (hello: object) =>
    answeringServer((command) =>
      'buildInfo' in command
        ? { ok: 1, version: '8.0.4' }
        : 'endSessions' in command
          ? { ok: 1 }
          : { ...HELLO, ...hello },
    );

  it.each([
    ['a replica set', { setName: 'rs0', hosts: ['127.0.0.1'] }],
    ['a sharded cluster', { msg: 'isdbgrid' }],
  ])('of %s is accepted', async (_, hello) => {
    const server = await server8(hello);
    const connection = await MongoConnection.open(`${server.url}/?directConnection=true`, TIMEOUTS);
    expect(connection.engineVersion).toBe('MongoDB 8.0.4');
    await connection.close();
    await server.close();
  });

  it('without a replica set is refused with the commands that make one', async () => {
    const server = await server8({});
    expect(await refusedUrl(server.url)).toMatch(/without a replica set.*--replSet rs0.*rs\.initiate\(\)/);
    await server.close();
  });
});

describeMongodb('a database of a newer version', () => {
  it('is refused with both versions in the message', async () => {
    const database = ownDatabase();
    const connection = await database.connect();
    await MongoDocumentStore.open(connection);
    await MongoContentKeys.open(connection);
    const formats = connection.database.collection<{ _id: string; version: number }>('formats');
    expect(await formats.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 'contentKeys', version: 2 },
      { _id: 'documents', version: 1 },
    ]);
    await formats.updateMany({}, { $set: { version: 99 } });
    expect(await refusal(MongoDocumentStore.open(connection))).toMatch(/newer version of Annals.*99, not 1/);
    expect(await refusal(MongoContentKeys.open(connection))).toMatch(/newer version of Annals.*99, not 2/);
    await database.remove();
  });
});
