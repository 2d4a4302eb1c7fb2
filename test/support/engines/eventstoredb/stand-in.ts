// A server that the EventStoreDB client takes for a real one. Arguments:
//   --folder X [--port N] [--version V] [--id-memory BYTES] [--system-event-every N]
//     [--grace MS] [--with-parent]
// Prints one line with two addresses when it is ready. The second takes POST /<command> with a JSON array of arguments.
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ServerCredentials, status } from '@grpc/grpc-js';
import { IdMemory } from './append-rules.js';
import { Appender } from './appender.js';
import { Faults } from './faults.js';
import { Log } from './log.js';
import { fail } from './messages.js';
import { Reading } from './reading.js';
import { grpcServer } from './services.js';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string', default: '0' },
    version: { type: 'string', default: '23.10.6' },
    'id-memory': { type: 'string', default: String(8 * 1024 * 1024) },
    'system-event-every': { type: 'string', default: '25' },
    // Time that it goes on after SIGTERM, milliseconds.
    grace: { type: 'string', default: '5000' },
    'with-parent': { type: 'boolean', default: false },
  },
});
if (!values.folder) throw new Error('say where it keeps its events: --folder X');

const log = new Log(values.folder);
const memory = new IdMemory(Number(values['id-memory']));
const reading = new Reading(log);
const faults = new Faults(values.version);
const appender = new Appender(log, memory, {
  systemEventEvery: Number(values['system-event-every']),
  committed: (records) => reading.publish(records),
});

const connections = createServer();
const server = grpcServer({ appender, reading, faults, port: () => portOf(connections) });
const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
connections.on('connection', (socket) => {
  if (faults.accept(socket)) injector.injectConnection(socket);
});

const commands: Readonly<Record<string, (...parameters: never[]) => unknown>> = {
  loseAnswers: (count: number) => faults.loseAnswers(count),
  refuse: () => faults.refuse(),
  acceptAndNeverAnswer: () => Object.assign(faults, { swallows: true }),
  denyAccess: () => Object.assign(faults, { isDenied: true }),
  denyAppends: () => Object.assign(faults, { deniesAppends: true }),
  version: (version: string) => Object.assign(faults, { version }),
  dropSubscriptions: () => reading.dropAll(),
  forgetIds: () => memory.forget(),
  scavenge: () => log.scavenge(),
  restore: () => faults.restore(),
};
const control = createHttpServer(async (request, response) => {
  const command = commands[request.url?.slice(1) ?? ''];
  command?.(...((await json(request)) as never[]));
  response.writeHead(command ? 204 : 404).end();
});

function portOf(listener: Server): number {
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return address.port;
}

const listen = (listener: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    listener.once('error', reject).listen(port, '127.0.0.1', () => resolve(portOf(listener)));
  });
const port = await listen(connections, Number(values.port));
const controlPort = await listen(control, 0);

process.once('SIGTERM', () => {
  connections.close();
  setTimeout(() => {
    faults.failStreams(fail(status.INTERNAL, 'Exception was thrown by handler.'));
    setTimeout(() => process.exit(), 50);
  }, Number(values.grace));
});
if (values['with-parent']) process.stdin.on('end', () => process.exit()).resume();

process.stdout.write(
  `EventStoreDB stand-in at esdb://127.0.0.1:${port}?tls=false, commanded at http://127.0.0.1:${controlPort}\n`,
);
