import { parentPort, workerData } from 'node:worker_threads';
import type { DocumentDatabase, WholeWrite } from '../../document-store.js';
import { SqliteDocumentStore } from '../sqlite-document-store.js';
import { CLOSE, carried, type ThreadAnswer, type ThreadData, type ThreadRequest } from './thread-protocol.js';

// Writes documents. Databases stay open until they are closed one by one.
const port = parentPort;
if (!port) throw new Error('it runs as a thread');
const { directory }: ThreadData = workerData;
const store = await SqliteDocumentStore.open(directory);
const opened = new Map<string, DocumentDatabase>();

async function databaseOf(name: string): Promise<DocumentDatabase> {
  const database = opened.get(name) ?? (await store.database(name));
  opened.set(name, database);
  return database;
}

async function answerTo({ database, write }: ThreadRequest): Promise<ThreadAnswer> {
  try {
    if (write !== null) return { results: await (await databaseOf(database)).write(JSON.parse(write) as WholeWrite) };
    await opened.get(database)?.close();
    opened.delete(database);
    return { results: [] };
  } catch (error) {
    return { failure: carried(error) };
  }
}

let before: Promise<void> = Promise.resolve();
port.on('message', (requests: readonly ThreadRequest[] | typeof CLOSE) => {
  before = before.then(async () => {
    if (requests === CLOSE) return port.close();
    const answers: ThreadAnswer[] = [];
    for (const request of requests) answers.push(await answerTo(request));
    port.postMessage(answers);
  });
});
port.postMessage('ready');
