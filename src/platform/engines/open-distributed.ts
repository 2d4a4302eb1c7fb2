import { Logger } from '@nestjs/common';
import { MongoBus } from '../bus/mongodb/mongo-bus.js';
import { MongoContentKeys } from '../content-keys/mongodb/mongo-content-keys.js';
import { MongoDocumentStore } from '../documents/mongodb/mongo-document-store.js';
import { MongoFileStore } from '../file-store/mongodb/mongo-file-store.js';
import { Closers } from '../kernel/closers.js';
import { START } from '../kernel/position.js';
import { StartRefused } from '../kernel/start-refused.js';
import { EVENTS_FORMAT } from '../log/events-format.js';
import { EventStoreDbEventStore } from '../log/eventstoredb/eventstoredb-event-store.js';
import { MongoConnection } from '../mongodb/mongo-connection.js';
import type { DistributedSettings, Engines } from './engines.js';

/**
 * Opens EventStoreDB for the log, and MongoDB for everything else.
 * @throws StartRefused: nothing is left open
 */
export async function openDistributed(
  { eventStoreUrl, streamPrefix, mongodbUrl }: DistributedSettings,
  { readOnly, mustExist }: { readonly readOnly: boolean; readonly mustExist: boolean },
): Promise<Engines> {
  const closers = new Closers();
  try {
    const eventStore = closers.own(await EventStoreDbEventStore.open({ url: eventStoreUrl, streamPrefix, readOnly }));
    const isLogEmpty = (await eventStore.head()) === START;
    if (mustExist && isLogEmpty) {
      throw new StartRefused(
        'EVENTSTORE_URL names a log without events of this organization: correct it, or its --stream-prefix',
      );
    }
    const connection = closers.own(await MongoConnection.open(mongodbUrl));
    // EventStoreDB has no place for it.
    if (!readOnly) await connection.claimFormat('events', EVENTS_FORMAT);
    const log = new Logger('Bus');
    const bus = closers.own(await MongoBus.open(connection, (error: unknown) => log.warn(String(error))));
    // Every process that appended had opened the keys before. New keys would open nothing in the log.
    const contentKeys = closers.own(await MongoContentKeys.open(connection, { mustExist: !isLogEmpty }));
    const fileStore = closers.own(await MongoFileStore.open(connection));
    const documentStore = closers.own(await MongoDocumentStore.open(connection));
    // Projections have a connection of their own: a process with busy clients would otherwise seem dead to the others.
    const keeping = closers.own(await MongoConnection.open(mongodbUrl));
    const projectionStore = closers.own(await MongoDocumentStore.open(keeping));
    return { eventStore, contentKeys, fileStore, documentStore, projectionStore, bus, close: () => closers.close() };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
