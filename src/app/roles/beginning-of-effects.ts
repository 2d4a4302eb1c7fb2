import { storeCheckpoint } from '../../platform/cluster/fence.js';
import { REACTORS_DATABASE } from '../../platform/consumers/reactors.js';
import type { DocumentDatabase, DocumentStore } from '../../platform/documents/document-store.js';
import { START } from '../../platform/kernel/position.js';
import { followers } from '../features.js';

const DATABASES = [REACTORS_DATABASE, ...followers.map(({ database }) => database)];

/**
 * Has mails and push notifications begin at the log's first event. Called before an organization is created: the first worker
 * may start after people have used it. Followers without a checkpoint begin at the log's end, because documents were lost then.
 */
export async function beginEffects(documentStore: DocumentStore): Promise<void> {
  for (const name of DATABASES) {
    const database = await documentStore.database(name);
    try {
      await begin(database);
    } finally {
      await database.close();
    }
  }
}

/** A worker that starts at this moment stores its own checkpoint, here or in another process: then that one counts. */
async function begin(database: DocumentDatabase): Promise<void> {
  if ((await database.checkpoint()) !== null) return;
  try {
    await storeCheckpoint(database, START, undefined, undefined);
  } catch (error) {
    if ((await database.checkpoint()) === null) throw error;
  }
}
