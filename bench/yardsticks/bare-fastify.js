// @ts-check
// The yardstick below everything: Fastify alone parses the form of a send and answers what Annals answers.
import { parse } from 'node:querystring';
import { fastify } from 'fastify';

const server = fastify();
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, parse(String(body))),
);

let lastId = 0;
server.post('/api/v1/messages', async (request) => {
  const { content } = /** @type {{ content?: string }} */ (request.body);
  if (!content) throw new Error('no content');
  lastId++;
  return { result: 'success', msg: '', id: lastId };
});

await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
