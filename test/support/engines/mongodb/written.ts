import { type Command, documentsOf } from './command.js';
import { type Field, type Fields, fieldsAt, fieldsIn, isSet, numberIn } from './fields.js';

/** Documents that a command has changed, and the bytes that the oplog takes for them. */
export interface Written {
  readonly documents: number;
  readonly bytes: number;
}

/** The offset of a reply's document. */
export interface Reply {
  readonly bytes: Buffer;
  readonly fields: Fields;
}

/** Bytes of an oplog entry beside the document or update: names of operation and collection, `_id`. */
const ENTRY_BYTES = 100;

interface Update {
  readonly bytes: number;
  readonly many: boolean;
}

/** Writes in a request, by kind. */
interface Writes {
  /** Bytes of the documents. */
  readonly inserts: readonly number[];
  readonly updates: readonly Update[];
}

/** Numbers of changed documents, which only the reply tells. */
interface Changed {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

type Reader = (command: Command, reply: Reply) => Written;

const READERS: Readonly<Record<string, Reader>> = {
  insert: (command, reply) =>
    written(
      { inserts: documentsOf(command, 'documents').map((at) => lengthAt(command, at)), updates: [] },
      { inserted: count(reply, 'n'), updated: 0, deleted: 0 },
    ),
  update: (command, reply) =>
    written(
      { inserts: [], updates: documentsOf(command, 'updates').map((at) => updateIn(command, at, 'u')) },
      { inserted: 0, updated: count(reply, 'nModified') + upserted(reply), deleted: 0 },
    ),
  delete: (_, reply) => written(NONE, { inserted: 0, updated: 0, deleted: count(reply, 'n') }),
  findAndModify: (command, reply) => {
    const update = command.fields.get('update');
    const n = numberIn(reply.bytes, fieldsIn(reply.bytes, reply.fields.get('lastErrorObject')).get('n'));
    return update
      ? written(
          { inserts: [], updates: [{ bytes: update.length, many: false }] },
          { inserted: 0, updated: n, deleted: 0 },
        )
      : written(NONE, { inserted: 0, updated: 0, deleted: n });
  },
  bulkWrite: (command, reply) =>
    written(operationsOf(command), {
      inserted: count(reply, 'nInserted'),
      updated: count(reply, 'nModified') + count(reply, 'nUpserted'),
      deleted: count(reply, 'nDeleted'),
    }),
};

const NONE: Writes = { inserts: [], updates: [] };

/** @returns a function that reads a reply; null if the command writes nothing */
export function writtenBy(command: Command): ((reply: Reply) => Written) | null {
  const read = Object.hasOwn(READERS, command.name) ? READERS[command.name] : undefined;
  return read ? (reply) => read(command, reply) : null;
}

function written({ inserts, updates }: Writes, { inserted, updated, deleted }: Changed): Written {
  const documents = inserted + updated + deleted;
  const insertBytes = sum(inserts) * share(inserted, inserts.length);
  return { documents, bytes: Math.ceil(insertBytes + updateBytes(updates, updated) + documents * ENTRY_BYTES) };
}

/** A reply tells only the sum: updates of one document are taken to have changed it, updates of many all the others. */
function updateBytes(updates: readonly Update[], changed: number): number {
  const one = updates.filter(({ many }) => !many).map(({ bytes }) => bytes);
  const many = updates.filter((update) => update.many).map(({ bytes }) => bytes);
  const others = Math.max(0, changed - one.length);
  return sum(one) * share(changed, one.length) + sum(many) * (others / Math.max(1, many.length));
}

function operationsOf(command: Command): Writes {
  const inserts: number[] = [];
  const updates: Update[] = [];
  for (const at of documentsOf(command, 'ops')) {
    const fields = fieldsAt(command.bytes, at);
    if (fields.has('insert')) inserts.push(fields.get('document')?.length ?? 0);
    if (fields.has('update')) updates.push(updateOf(command, fields, 'updateMods'));
  }
  return { inserts, updates };
}

const updateIn = (command: Command, at: number, change: string): Update =>
  updateOf(command, fieldsAt(command.bytes, at), change);

const updateOf = ({ bytes }: Command, fields: ReadonlyMap<string, Field>, change: string): Update => ({
  bytes: fields.get(change)?.length ?? 0,
  many: isSet(bytes, fields.get('multi')),
});

const lengthAt = ({ bytes }: Command, at: number): number => bytes.readInt32LE(at);

const count = ({ bytes, fields }: Reply, name: string): number => numberIn(bytes, fields.get(name));

const upserted = ({ bytes, fields }: Reply): number => fieldsIn(bytes, fields.get('upserted')).size;

const share = (part: number, whole: number): number => (whole === 0 ? 0 : Math.min(1, part / whole));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
