// The lowest yardstick: Fastify alone parses the form of a request, and answers a send as Annals does, or with so many bytes. A send
// with an event answers all polls that wait, with the bytes that Annals writes.
import { randomBytes, randomUUID } from 'node:crypto';
import { parse } from 'node:querystring';
import { type FastifyReply, fastify } from 'fastify';

const server = fastify();
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, parse(String(body))),
);

let lastId = 0;
let answer = randomBytes(0);
server.post<{ Body: { readonly content?: string; readonly event?: string } }>('/api/v1/messages', async (request) => {
  const { content, event } = request.body;
  if (!content) throw new Error('no content');
  if (event) answerPolls(event);
  lastId++;
  return { result: 'success', msg: '', id: lastId };
});

server.post<{ Body: { readonly bytes?: string } }>('/api/v1/users/me/presence', async (request, reply) => {
  const bytes = Number(request.body.bytes);
  if (answer.length !== bytes) answer = randomBytes(bytes);
  return reply.headers({ 'content-type': 'application/json', 'content-encoding': 'gzip' }).send(answer);
});

const polls: { readonly queueId: string; readonly reply: FastifyReply }[] = [];

server.post('/api/v1/register', async () => ({
  result: 'success',
  msg: '',
  queue_id: randomUUID(),
  last_event_id: -1,
}));

server.get<{ Querystring: { readonly queue_id: string } }>('/api/v1/events', (request, reply) => {
  polls.push({ queueId: request.query.queue_id, reply });
});

server.delete('/api/v1/events', async () => ({ result: 'success', msg: '' }));

function answerPolls(event: string) {
  for (const { queueId, reply } of polls.splice(0)) {
    void reply
      .type('application/json; charset=utf-8')
      .send(`{"result":"success","msg":"","queue_id":"${queueId}","events":[${event}]}`);
  }
}

await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
