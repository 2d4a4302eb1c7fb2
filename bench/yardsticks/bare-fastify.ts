// The lowest yardstick: Fastify alone parses the form of a request, and answers a send as Annals does, or with so many bytes.
import { randomBytes } from 'node:crypto';
import { parse } from 'node:querystring';
import { fastify } from 'fastify';

const server = fastify();
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, parse(String(body))),
);

let lastId = 0;
let answer = randomBytes(0);
server.post<{ Body: { readonly content?: string } }>('/api/v1/messages', async (request) => {
  const { content } = request.body;
  if (!content) throw new Error('no content');
  lastId++;
  return { result: 'success', msg: '', id: lastId };
});

server.post<{ Body: { readonly bytes?: string } }>('/api/v1/users/me/presence', async (request, reply) => {
  const bytes = Number(request.body.bytes);
  if (answer.length !== bytes) answer = randomBytes(bytes);
  return reply.headers({ 'content-type': 'application/json', 'content-encoding': 'gzip' }).send(answer);
});

await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
