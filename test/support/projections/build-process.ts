// Builds the documents of all projections on MongoDB from the log of a data directory, as the holder of the leases with a
// fencing token, or goes on with an earlier holder's build. Prints the reports of the build.
// Arguments: DIRECTORY MONGODB_URL TOKEN COMMIT. The process kills itself at its commit of that number: with an odd token
// before MongoDB hears of it, with an even one before the process hears of the commit.
import { ClientSession } from 'mongodb';
import { projections } from '../../../projections/index.js';
import { rebuild } from '../../../projections/runner/rebuild.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import { MongoDocumentStore } from '../../../src/platform/documents/mongodb/mongo-document-store.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { MongoConnection } from '../../../src/platform/mongodb/mongo-connection.js';
import { databaseOfBuild } from './killed-build.js';

const [dataDirectory = '', mongodbUrl = '', token, dyingAt] = process.argv.slice(2);

let commits = 0;
const commit = ClientSession.prototype.commitTransaction;
ClientSession.prototype.commitTransaction = async function (...options) {
  commits++;
  const dies = commits === Number(dyingAt);
  if (dies && Number(token) % 2 === 1) process.kill(process.pid, 'SIGKILL');
  await commit.apply(this, options);
  if (dies) process.kill(process.pid, 'SIGKILL');
};

const engines = await openEngines({ dataDirectory, readOnly: true });
const connection = await MongoConnection.open(mongodbUrl);
const documentStore = await MongoDocumentStore.open(connection);
const builds = projections.map((projection) => ({
  projection,
  database: databaseOfBuild(projection),
  goesOn: true,
  fence: new Fence(Number(token)),
}));
const failures = await rebuild(
  { ...engines, documentStore, eventRegistry },
  builds,
  () => {},
  (line) => process.stdout.write(`${line}\n`),
);
process.stdout.write(failures.map((failure) => `${JSON.stringify(failure)}\n`).join(''));
await documentStore.close();
await connection.close();
await engines.close();
