// A yardstick that others publish: a chat's route on Express and SQLite, as Campfire's port to Express has it. A post is one row,
// and one row for search. `synchronous = NORMAL` syncs nothing before the answer: a power cut loses the last posts.
import { join } from 'node:path';
import express from 'express';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';

const [, , port, directory = ''] = process.argv;
const database = new SqliteConnection(join(directory, 'campfire.sqlite'));
database.exec(`
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, room TEXT NOT NULL, topic TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS messages_by_room ON messages (room, id);
CREATE VIRTUAL TABLE IF NOT EXISTS message_search USING fts5 (body, tokenize = porter);`);
const insert = database.prepare('INSERT INTO messages (room, topic, body, created_at) VALUES (?, ?, ?, ?)');
const index = database.prepare('INSERT INTO message_search (rowid, body) VALUES (?, ?)');

const app = express();
app.use(express.urlencoded({ extended: false }));
app.post('/api/v1/messages', (request, response) => {
  const { to, topic, content } = request.body;
  if (!content) throw new Error('no content');
  const id = database.transaction(() => {
    const { lastInsertRowid } = insert.run(to, topic, content, Date.now());
    index.run(lastInsertRowid, content);
    return Number(lastInsertRowid);
  });
  response.json({ result: 'success', msg: '', id });
});

app.listen(Number(port), '127.0.0.1');
