import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';

const TLS_HANDSHAKE = 0x1603;
const OP_QUERY = 2004;
const OP_REPLY = 1;
const OP_MSG = 2013;

/** The parts of MongoDB 8's `hello` that drivers read. */
export const HELLO = {
  ok: 1,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 25,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
};

type Answer = (command: Record<string, unknown>) => Record<string, unknown> | null;

/** Speaks enough of MongoDB's protocol to give one answer to each command; null gives none. */
export async function answeringServer(answer: Answer): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    let unread = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes]);
      // A mongod without TLS does the same at a TLS handshake.
      if (unread.length >= 2 && unread.readUInt16BE(0) === TLS_HANDSHAKE) socket.destroy();
      while (unread.length >= 4 && unread.length >= unread.readInt32LE(0)) {
        const message = unread.subarray(0, unread.readInt32LE(0));
        unread = unread.subarray(message.length);
        const reply = answer(commandIn(message));
        if (reply) socket.write(encode(message, reply));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { url: `mongodb://127.0.0.1:${address.port}`, close };
}

function commandIn(message: Buffer): Record<string, unknown> {
  if (message.readInt32LE(12) === OP_QUERY) {
    const name = message.indexOf(0, 20);
    return BSON.deserialize(message.subarray(name + 9));
  }
  const size = message.readInt32LE(21);
  return BSON.deserialize(message.subarray(21, 21 + size));
}

function encode(request: Buffer, reply: Record<string, unknown>): Buffer {
  const body = Buffer.from(BSON.serialize(reply));
  const isQuery = request.readInt32LE(12) === OP_QUERY;
  const fields = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isQuery) fields.writeInt32LE(1, 16);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + fields.length + body.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, fields, body]);
}
