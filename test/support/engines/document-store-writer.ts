// Writes transactions of 20 documents with a checkpoint, and prints each checkpoint after its commit. Goes on until it is
// killed, or a write fails, whose error it prints.
// Arguments: DIRECTORY [careless]. With `careless`, transactions are larger than the buffers in memory, and go on after a
// failed write.
import type { BulkOperation, StoredDocument } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';

const careless = process.argv[3] === 'careless';
const [size, padding] = careless ? [1000, 25_000] : [20, 100];
const store = await SqliteDocumentStore.open(process.argv[2] ?? '');
const database = await store.database('written');
await database.ensure({
  things: {
    indexes: [{ keys: { batch: 1, _id: 1 } }, { keys: { tags: 1, batch: 1 }, multikey: 'tags' }],
    text: ['title'],
  },
});

/** A document of batch n, and one of the batch before, which it changes. */
const operations = (batch: number): BulkOperation<StoredDocument>[] =>
  Array.from({ length: size }, (_, at) => ({
    replaceOne: {
      filter: { _id: batch * 10 + at },
      replacement: {
        _id: batch * 10 + at,
        batch,
        tags: [batch, 'all'],
        title: `word${batch}`,
        pad: 'pad '.repeat(padding),
      },
      upsert: true,
    },
  }));

try {
  for (let batch = ((await database.checkpoint()) ?? 0) + 1; ; batch++) {
    await database.transaction(async (transaction) => {
      const things = transaction.collection('things');
      for (const operation of operations(batch)) {
        const written = things.bulkWrite([operation]);
        await (careless ? written.catch(() => undefined) : written);
      }
      const stored = transaction.setCheckpoint(batch);
      await (careless ? stored.catch(() => undefined) : stored);
    });
    process.stdout.write(`${batch}\n`);
  }
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.name : error}\n`);
}
