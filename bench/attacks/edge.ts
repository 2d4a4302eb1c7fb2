import { once } from 'node:events';
import { connect } from 'node:net';
import { Connection } from '../driver/connection.js';
import { requestOf } from '../driver/request.js';
import { type Attack, pause, type Target } from './attack.js';

const ATTACK_MS = 4_000;
const UPLOADS = 20;
const CHUNK = Buffer.alloc(64 * 1024);
const GUESSERS = 20;

const uploadHead = (port: number): string =>
  [
    'POST /api/v1/user_uploads HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Basic ${Buffer.from('thief@example.com:wrong').toString('base64')}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${10 * 2 ** 30}`,
    '\r\n',
  ].join('\r\n');

/** Goes on sending whatever the server answers. @returns bytes that the server took */
async function upload(port: number, end: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  socket.write(uploadHead(port));
  while (!socket.destroyed && performance.now() < end) {
    if (!socket.write(CHUNK)) await Promise.race([once(socket, 'drain').catch(() => {}), pause(100)]);
    else await pause(0);
  }
  const taken = socket.bytesWritten - socket.writableLength;
  socket.destroy();
  return taken;
}

const refusedUploads: Attack = {
  name: `${UPLOADS} that upload without a key`,
  run: async ({ port }) => {
    const end = performance.now() + ATTACK_MS;
    const taken: number[] = [];
    const uploads = async (): Promise<void> => {
      while (performance.now() < end) taken.push(await upload(port, end));
    };
    await Promise.all(Array.from({ length: UPLOADS }, uploads));
    return `${taken.length} uploads, of which ${(Math.max(...taken) / 2 ** 20).toFixed(1)} MiB at most were taken`;
  },
};

const guesses: Attack = {
  name: `${GUESSERS} that guess passwords`,
  run: async ({ port, organization, random }: Target) => {
    const end = performance.now() + ATTACK_MS;
    const answers = new Map<number, number>();
    await Promise.all(
      (await Connection.openMany(port, GUESSERS)).map(async (connection) => {
        while (performance.now() < end) {
          const username = organization.account(1 + Math.floor(random() * organization.users)).email;
          const password = `guess ${Math.floor(random() * 1e9)}`;
          const { status } = await connection.send(requestOf('POST', '/fetch_api_key', null, { username, password }));
          answers.set(status, (answers.get(status) ?? 0) + 1);
        }
        connection.close();
      }),
    );
    return [...answers].map(([status, count]) => `${count} times ${status}`).join(', ');
  },
};

export const edgeAttacks: readonly Attack[] = [refusedUploads, guesses];
