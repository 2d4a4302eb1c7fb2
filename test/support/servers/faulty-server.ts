// The real server with a fault in front of its engines: the process kills itself at a point. The argument is one of
//   key-stored                 a content key is stored, its event is not
//   received                   an uploaded file is stored, its event is not
//   appended:STREAM_PREFIX     events are stored, the append has not returned
//   uncommitted:DATABASE       a projection has written a batch, but not committed documents and checkpoint
//   committed:DATABASE         both are committed, the commit has not returned
//   switched:PROJECTION        built documents are live by the record, and the replaced ones are there still. The server waits
//                              there for `armed`.
// The process dies only if the data directory has a file `armed`, so that the first start succeeds.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionRecord } from '../../../projections/runner/projection-record.js';
import { readConfig } from '../../../src/app/config/read-config.js';
import { startServer } from '../../../src/app/server.js';
import type {
  DocumentDatabase,
  DocumentStore,
  StoredDocument,
} from '../../../src/platform/documents/document-store.js';
import { writeIn } from '../../../src/platform/documents/whole-write.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { override } from '../override.js';

const LOOK_EVERY_MS = 10;

const [point, where = ''] = (process.argv[2] ?? '').split(':');
const config = readConfig('start');

const die = () => {
  if (existsSync(join(config.dataDirectory, 'armed'))) process.kill(process.pid, 'SIGKILL');
};

/** Records of projections, whose database is neither that of a projection nor written in batches. */
const faultyRegistry = (database: DocumentDatabase): DocumentDatabase =>
  override(database, {
    collection<D extends StoredDocument>(name: string) {
      const records = database.collection<D>(name);
      return override(records, {
        async replaceOne(...replacing: Parameters<typeof records.replaceOne>) {
          const result = await records.replaceOne(...replacing);
          const { _id, building, replaced } = replacing[1] as Partial<ProjectionRecord>;
          if (_id === where && building === null && replaced?.length) for (; ; await pause(LOOK_EVERY_MS)) die();
          return result;
        },
      });
    },
  });

const faultyDatabase = (database: DocumentDatabase): DocumentDatabase => {
  const transaction: DocumentDatabase['transaction'] = async (work) => {
    const result = await database.transaction(async (open) => {
      const done = await work(open);
      if (point === 'uncommitted') die();
      return done;
    });
    if (point === 'committed') die();
    return result;
  };
  return override(database, {
    transaction,
    async write(write) {
      // In a transaction of its own: nobody can enter one that databases share.
      if (point === 'uncommitted') return transaction((open) => writeIn(open, database.name, write));
      const results = await database.write(write);
      if (point === 'committed') die();
      return results;
    },
  });
};

const faultyDocuments = (documentStore: DocumentStore): DocumentStore =>
  override(documentStore, {
    async database(name) {
      const database = await documentStore.database(name);
      if (point === 'switched') return name === 'registry' ? faultyRegistry(database) : database;
      return name.startsWith(where) ? faultyDatabase(database) : database;
    },
  });

const open: typeof openEngines = async (options) => {
  const engines = await openEngines(options);
  return {
    ...engines,
    contentKeys: override(engines.contentKeys, {
      async putIfAbsent(id, key) {
        const stored = await engines.contentKeys.putIfAbsent(id, key);
        if (point === 'key-stored') die();
        return stored;
      },
    }),
    fileStore: override(engines.fileStore, {
      async receive(name, content) {
        await engines.fileStore.receive(name, content);
        if (point === 'received') die();
      },
    }),
    eventStore: override(engines.eventStore, {
      async append(stream, events, expected) {
        const result = await engines.eventStore.append(stream, events, expected);
        if (point === 'appended' && stream.startsWith(where)) die();
        return result;
      },
    }),
    documentStore: faultyDocuments(engines.documentStore),
    projectionStore: faultyDocuments(engines.projectionStore),
  };
};

const server = await startServer(config, { open });
process.stdout.write(`Annals is running at ${server.url}\n`);
