import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Registration } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { requestOf, successOf } from '../driver/request.js';
import { pause, type Target } from './attack.js';

const POLLS = 50;
const SLOW_READERS = 20;
const SLOW_UPLOADS = 10;
const TRICKLE_MS = 200;

/** Tells the server to stop while polls wait, uploads trickle in, and answers are not taken. */
export async function stopUnderAttack({ port, child, organization }: Target) {
  const account = organization.account(organization.ordinaryUser(1));
  const connection = await Connection.open(port);
  const { queue_id } = successOf<Registration>(await connection.send(requestOf('POST', '/register', account)));
  connection.close();
  const poll = requestOf('GET', '/events', account, { queue_id, last_event_id: '-1' });
  const page = requestOf('GET', '/messages', account, { anchor: 'newest', num_before: '5000', num_after: '0' });
  const upload = Buffer.concat([
    Buffer.from(
      [
        'POST /api/v1/user_uploads HTTP/1.1',
        'Host: 127.0.0.1',
        `Authorization: Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}`,
        'Content-Type: multipart/form-data; boundary=x',
        'Content-Length: 1000000',
        '\r\n--x',
        'Content-Disposition: form-data; name="file"; filename="slow.txt"',
        '\r\n',
      ].join('\r\n'),
    ),
  ]);
  const sockets = await Promise.all([
    ...Array.from({ length: POLLS }, () => opened(port, poll)),
    ...Array.from({ length: SLOW_READERS }, () => opened(port, page)),
    ...Array.from({ length: SLOW_UPLOADS }, () => opened(port, upload)),
  ]);
  const trickle = setInterval(() => {
    for (const socket of sockets.slice(-SLOW_UPLOADS)) if (!socket.destroyed) socket.write('x');
  }, TRICKLE_MS);
  await pause(500);
  const askedAt = performance.now();
  await child.stop();
  const seconds = (performance.now() - askedAt) / 1000;
  clearInterval(trickle);
  for (const socket of sockets) socket.destroy();
  return { seconds, told: `ended with ${await child.ended()}` };
}

async function opened(port: number, bytes: Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}
