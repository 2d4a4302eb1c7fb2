import { Readable } from 'node:stream';
import { Binary, type Collection, GridFSBucket, type GridFSBucketWriteStream, MongoRuntimeError } from 'mongodb';
import { HOUR_MS } from '../../kernel/durations.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { transientReason } from '../../mongodb/mongo-failure.js';
import { readAll } from '../../mongodb/read-all.js';
import { refuseBadName, refuseBadVariant } from '../checked-name.js';
import { type ByteRange, type FileStore, FileStoreUnavailable, type StoredFile } from '../file-store.js';

const FORMAT = 1;
const LISTED_AT_ONCE = 1000;
const BUCKET = 'uploads';
/** Longer than any upload, and than the difference between clocks of processes. */
const ABANDONED_AFTER_MS = HOUR_MS;

/** A file that is on its way, or was not kept. Written before the file's first bytes, so that these are found again. */
interface Incoming {
  readonly _id: string;
  readonly since: Date;
}

interface StoredDescription {
  readonly _id: string;
  readonly length: number;
}

/** Files that were derived from the file with this name, by their variants. They are few and small. */
interface Derived {
  readonly _id: string;
  readonly variants: Readonly<Record<string, Binary>>;
}

/** Files in GridFS, for any number of processes. */
export class MongoFileStore implements FileStore {
  private readonly bucket: GridFSBucket;
  private readonly incoming: Collection<Incoming>;
  private readonly files: Collection<StoredDescription>;
  private readonly chunks: Collection;
  private readonly derived: Collection<Derived>;

  private constructor(private readonly connection: MongoConnection) {
    const { database } = connection;
    this.bucket = new GridFSBucket(database, { bucketName: BUCKET });
    this.incoming = database.collection(`${BUCKET}.incoming`);
    this.files = database.collection(`${BUCKET}.files`);
    this.chunks = database.collection(`${BUCKET}.chunks`);
    this.derived = database.collection(`${BUCKET}.derived`);
  }

  /** @throws StartRefused */
  static async open(connection: MongoConnection): Promise<MongoFileStore> {
    await connection.claimFormat(BUCKET, FORMAT);
    return new MongoFileStore(connection);
  }

  async receive(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    refuseBadName(name);
    await this.attempt(() => this.incoming.insertOne({ _id: name, since: new Date() }));
    let stream: GridFSBucketWriteStream | undefined;
    try {
      // The driver's types allow only its own ids; the server takes any.
      stream = this.bucket.openUploadStreamWithId(name as never, name);
      stream.on('error', () => {});
      const { write, end } = stepsOf(stream);
      for await (const chunk of content) await this.attempt(() => write(chunk));
      await this.attempt(end);
    } catch (error) {
      stream?.destroy();
      // Bytes that cannot be removed now are found once they count as abandoned.
      await this.remove([name]).catch(() => {});
      throw error;
    }
  }

  async commit(name: string): Promise<void> {
    refuseBadName(name);
    await this.attempt(() => this.incoming.deleteOne({ _id: name }));
  }

  async abandoned(): Promise<readonly string[]> {
    const before = new Date(Date.now() - ABANDONED_AFTER_MS);
    const found = await this.attempt(() => readAll(this.connection, this.incoming.find({ since: { $lt: before } })));
    return found.map(({ _id }) => _id);
  }

  async *committed(): AsyncGenerator<readonly string[]> {
    for (let after = ''; ; ) {
      const found = this.files.find(
        { _id: { $gt: after } },
        { sort: { _id: 1 }, limit: LISTED_AT_ONCE, projection: { _id: 1 } },
      );
      const page = (await this.attempt(() => readAll(this.connection, found))).map(({ _id }) => _id);
      // A file is incoming before its first bytes are there, so it is looked for afterwards.
      const incoming = this.incoming.find({ _id: { $in: page } });
      const left = new Set((await this.attempt(() => readAll(this.connection, incoming))).map(({ _id }) => _id));
      const names = page.filter((name) => !left.has(name));
      if (names.length > 0) yield names;
      const last = page.at(-1);
      if (last === undefined || page.length < LISTED_AT_ONCE) return;
      after = last;
    }
  }

  async read(name: string, range?: ByteRange): Promise<StoredFile | null> {
    refuseBadName(name);
    const file = await this.attempt(() => this.files.findOne({ _id: name }));
    if (!file) return null;
    const { length: size } = file;
    const start = range?.start ?? 0;
    const end = Math.min(range ? range.end + 1 : size, size);
    return { size, content: start >= end ? Readable.from([]) : Readable.from(this.chunksOf(name, start, end)) };
  }

  async storeDerived(name: string, variant: string, bytes: Uint8Array): Promise<boolean> {
    refuseBadName(name);
    refuseBadVariant(variant);
    const change = { $set: { [`variants.${variant}`]: new Binary(bytes) } };
    await this.attempt(() => this.derived.updateOne({ _id: name }, change, { upsert: true }));
    // Looks afterwards: `remove` removes the original first, so one of the two finds the derived file.
    const original = await this.attempt(() => this.files.findOne({ _id: name }));
    if (!original) await this.attempt(() => this.derived.deleteOne({ _id: name }));
    return original !== null;
  }

  async readDerived(name: string, variant: string): Promise<StoredFile | null> {
    refuseBadName(name);
    refuseBadVariant(variant);
    const projection = { [`variants.${variant}`]: 1 };
    const found = await this.attempt(() => this.derived.findOne({ _id: name }, { projection }));
    const binary = found?.variants[variant];
    return binary ? { size: binary.length(), content: Readable.from([binary.value()]) } : null;
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) refuseBadName(name);
    if (names.length === 0) return;
    await this.attempt(async () => {
      const _id = { $in: [...names] };
      await this.connection.call(() => this.files.deleteMany({ _id }));
      await this.connection.call(() => this.chunks.deleteMany({ files_id: _id }));
      await this.connection.call(() => this.derived.deleteMany({ _id }));
      await this.connection.call(() => this.incoming.deleteMany({ _id }));
    }, null);
  }

  /** Leaves the connection open: its opener closes it. */
  async close(): Promise<void> {}

  private async *chunksOf(name: string, start: number, end: number): AsyncGenerator<Buffer> {
    const stream = this.bucket.openDownloadStream(name as never, { start, end });
    const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.attempt(() => chunks.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      stream.destroy();
    }
  }

  /** @param timeout milliseconds; null: the work has its own */
  private async attempt<T>(work: () => Promise<T>, timeout: number | null = this.connection.callTimeout): Promise<T> {
    try {
      return await (timeout === null ? work() : this.connection.call(work, timeout));
    } catch (error) {
      // A file that is removed during a read ends amid its chunks.
      const reason = error instanceof MongoRuntimeError ? error.message : transientReason(error);
      throw reason === null ? error : new FileStoreUnavailable(`uploaded files: ${reason}`, { cause: error });
    }
  }
}

/** Wraps a stream's methods in promises, which reject with the error that ends the stream. */
function stepsOf(stream: GridFSBucketWriteStream) {
  const failure = new Promise<never>((_, reject) => stream.once('error', reject));
  failure.catch(() => {});
  const step = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
    Promise.race([
      failure,
      new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
    ]);
  return {
    write: (chunk: Uint8Array): Promise<void> => step((done) => stream.write(Buffer.from(chunk), done)),
    end: (): Promise<void> => step((done) => stream.end(done)),
  };
}
