// The lowest yardstick: Fastify alone parses the form of a send and gives the answer that Annals gives.
import { parse } from 'node:querystring';
import { fastify } from 'fastify';

const server = fastify();
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, parse(String(body))),
);

let lastId = 0;
server.post<{ Body: { readonly content?: string } }>('/api/v1/messages', async (request) => {
  const { content } = request.body;
  if (!content) throw new Error('no content');
  lastId++;
  return { result: 'success', msg: '', id: lastId };
});

await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
