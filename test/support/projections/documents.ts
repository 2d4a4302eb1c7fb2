import { projections } from '../../../projections/index.js';
import type { ProjectionRecord } from '../../../projections/runner/projection-record.js';
import type { DocumentStore, StoredDocument } from '../../../src/platform/documents/document-store.js';

const EVERYTHING = { sort: { _id: 1 }, limit: Number.MAX_SAFE_INTEGER } as const;

/** Documents by projection and collection. */
export type AllDocuments = Readonly<Record<string, Readonly<Record<string, readonly StoredDocument[]>>>>;

/** Reads every document of every projection. */
export async function documentsIn(store: DocumentStore): Promise<AllDocuments> {
  const registry = await store.database('registry');
  await registry.ensure({ projections: {} });
  const records = await registry.collection<ProjectionRecord>('projections').find({}, EVERYTHING);
  const found: Record<string, Record<string, readonly StoredDocument[]>> = {};
  for (const projection of projections) {
    const live = records.find((record) => record._id === projection.name)?.live;
    if (!live) throw new Error(`${projection.name} has no live documents`);
    const database = await store.database(live.name);
    const collections: Record<string, readonly StoredDocument[]> = {};
    for (const name of Object.keys(projection.collections)) {
      collections[name] = await database.collection(name).find({}, EVERYTHING);
    }
    found[projection.name] = collections;
  }
  return found;
}
