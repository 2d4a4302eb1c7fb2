// The yardstick of the promises: Fastify and the same engines, with what a send has to store, and nothing else. Sends
// that come while others are stored are stored together.
import { parse } from 'node:querystring';
import { fastify } from 'fastify';
import { type FloorMessage, FloorStore } from './floor-store.js';

const [, , port, directory = ''] = process.argv;
const store = new FloorStore(directory);
const server = fastify();
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, parse(String(body))),
);

interface Waiting {
  readonly message: FloorMessage;
  readonly answer: (id: number) => void;
  readonly fail: (error: unknown) => void;
}
let waiting: Waiting[] = [];

function storeAll(): void {
  const together = waiting;
  waiting = [];
  try {
    const ids = store.send(together.map(({ message }) => message));
    for (const [at, { answer }] of together.entries()) answer(ids[at] ?? 0);
  } catch (error) {
    for (const { fail } of together) fail(error);
  }
}

server.post<{ Body: Partial<FloorMessage> }>('/api/v1/messages', async ({ body: { to = '', topic = '', content } }) => {
  if (!content) throw new Error('no content');
  const id = await new Promise<number>((answer, fail) => {
    if (waiting.length === 0) setImmediate(storeAll);
    waiting.push({ message: { to, topic, content }, answer, fail });
  });
  return { result: 'success', msg: '', id };
});

await server.listen({ host: '127.0.0.1', port: Number(port) });
