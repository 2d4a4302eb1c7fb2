import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { Api } from '../support/requests/api.js';
import { RunningServer, temporaryDataDirectory } from '../support/servers/running-server.js';

const LONGEST_MS = 60_000;

/** Opens a connection, and sends bytes of a request. */
async function begin(url: string, bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

it(
  'a stop ends while an upload trickles in, a poll waits and a client does not read, and loses nothing acknowledged',
  async () => {
    const data = await temporaryDataDirectory();
    const server = await RunningServer.start(data.path);
    try {
      const owner = await server.owner();
      const api = new Api(owner);
      const message = { type: 'channel', to: 'general', topic: 't', content: 'acknowledged' };
      const sent = await api.post('messages', message);
      const queue = await api.post('register', { event_types: '["message"]' });
      const poll = api.get('events', { queue_id: queue.queue_id, last_event_id: queue.last_event_id });

      const authorization = `Authorization: Basic ${Buffer.from(`${owner.email}:${owner.key}`).toString('base64')}`;
      const head = `Host: x\r\n${authorization}\r\n`;
      const upload = await begin(
        server.url,
        `POST /api/v1/user_uploads HTTP/1.1\r\n${head}Content-Type: multipart/form-data; boundary=b\r\n` +
          'Content-Length: 1000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n',
      );
      const trickle = setInterval(() => upload.write('x'), 100);
      upload.once('close', () => clearInterval(trickle));
      const reader = await begin(server.url, `GET /api/v1/openapi.json HTTP/1.1\r\n${head}\r\n`.repeat(50));
      reader.pause();

      await server.stop();
      await Promise.allSettled([poll]);
      for (const socket of [upload, reader]) socket.destroy();

      const again = await RunningServer.start(data.path);
      try {
        const { message: kept } = await new Api({ ...owner, site: again.url }).get(`messages/${sent.id}`);
        expect(kept).toMatchObject({ id: sent.id });
      } finally {
        await again.stop();
      }
    } finally {
      await server.kill();
      await data.remove();
    }
  },
  2 * LONGEST_MS,
);
