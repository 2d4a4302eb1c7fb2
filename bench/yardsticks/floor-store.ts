import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';

/** A message as a client sends it. */
export interface FloorMessage {
  readonly to: string;
  readonly topic: string;
  readonly content: string;
}

const SYNCED = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;';
/** What follows from the log need not be synced: it can be made again. */
const DERIVED = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;';

const KEYS = 'CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, key BLOB NOT NULL) STRICT, WITHOUT ROWID;';
const LOG = `
CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS events_by_id ON events (stream, id);
CREATE TABLE IF NOT EXISTS leaves (position INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;`;
const DOCUMENTS = `
CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, channel TEXT NOT NULL, topic TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS messages_by_topic ON messages (channel, topic, id);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content = '');
CREATE TABLE IF NOT EXISTS feed (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS audit (concern TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (concern, position)) STRICT, WITHOUT ROWID;`;

/**
 * What a send costs at least on these engines: a key and an event that are synced before the answer, the leaf of the
 * event, and the rows by which the message is read, found, told and audited. No permissions, no renderer.
 */
export class FloorStore {
  private readonly keys: SqliteConnection;
  private readonly log: SqliteConnection;
  private readonly documents: SqliteConnection;
  private last: number;

  constructor(directory: string) {
    this.keys = opened(directory, 'keys', SYNCED + KEYS);
    this.log = opened(directory, 'log', SYNCED + LOG);
    this.documents = opened(directory, 'documents', DERIVED + DOCUMENTS);
    this.last = Number(this.log.prepare('SELECT max(position) FROM events').get()?.[0] ?? 0);
  }

  /** Stores messages together. @returns their ids */
  send(messages: readonly FloorMessage[]): number[] {
    const sealed = messages.map((message) => seal(message, ++this.last));
    this.keys.transaction(() => {
      const insert = this.keys.prepare('INSERT INTO keys VALUES (?, ?)');
      for (const { keyId, key } of sealed) insert.run(keyId, key);
    });
    this.log.transaction(() => {
      const insert = this.log.prepare('INSERT INTO events VALUES (?, ?, ?, ?)');
      const leaf = this.log.prepare('INSERT INTO leaves VALUES (?, ?)');
      for (const { id, eventId, data } of sealed) {
        insert.run(id, 'messages', eventId, data);
        leaf.run(id, createHash('sha256').update(data).digest());
      }
    });
    this.documents.transaction(() => {
      for (const { id, message } of sealed) this.write(id, message);
    });
    return sealed.map(({ id }) => id);
  }

  private write(id: number, { to, topic, content }: FloorMessage): void {
    const body = JSON.stringify({ id, to, topic, content, rendered: `<p>${content}</p>`, sentAt: Date.now() });
    this.documents.prepare('INSERT INTO messages VALUES (?, ?, ?, ?)').run(id, to, topic, body);
    this.documents.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)').run(id, `${topic} ${content}`);
    this.documents.prepare('INSERT INTO feed VALUES (?, ?)').run(id, JSON.stringify({ id, to, topic }));
    this.documents.prepare('INSERT INTO audit VALUES (?, ?)').run(`channel ${to}`, id);
  }

  /** The number of messages that can be read from log and keys, as after a kill. @throws Error if one cannot */
  readBack(): number {
    const rows = this.log.prepare('SELECT data FROM events ORDER BY position').all();
    for (const [data] of rows) {
      const { keyId, sealed } = JSON.parse(String(data)) as { keyId: string; sealed: string };
      const [key] = this.keys.prepare('SELECT key FROM keys WHERE id = ?').get(keyId) ?? [];
      if (!(key instanceof Uint8Array)) throw new Error(`the key ${keyId} is missing`);
      unseal(sealed, key);
    }
    return rows.length;
  }

  close(): void {
    for (const connection of [this.keys, this.log, this.documents]) connection.close();
  }
}

function opened(directory: string, name: string, sql: string): SqliteConnection {
  const connection = new SqliteConnection(join(directory, `${name}.sqlite`));
  connection.exec(sql);
  return connection;
}

interface Sealed {
  readonly id: number;
  readonly eventId: string;
  readonly keyId: string;
  readonly key: Uint8Array;
  readonly data: string;
  readonly message: FloorMessage;
}

const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

function seal(message: FloorMessage, id: number): Sealed {
  const [key, nonce, keyId] = [randomBytes(32), randomBytes(NONCE_LENGTH), randomUUID()];
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const content = JSON.stringify({ text: message.content, rendered: `<p>${message.content}</p>` });
  const parts = [nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()];
  const { to, topic } = message;
  const data = JSON.stringify({
    id,
    to,
    topic,
    at: Date.now(),
    keyId,
    sealed: Buffer.concat(parts).toString('base64'),
  });
  return { id, eventId: randomUUID(), keyId, key, data, message };
}

function unseal(sealed: string, key: Uint8Array): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_LENGTH));
  decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
  return decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH)) + decipher.final('utf8');
}
