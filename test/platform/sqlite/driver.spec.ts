import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compiled } from '../../../scripts/transpile.js';
import { SqliteConnection, type SqlValue, sqliteCode } from '../../../src/platform/sqlite/driver.js';
import { scratchDirectory } from '../../support/engines/document-store-directory.js';

const CREATE = 'CREATE TABLE things (id INTEGER PRIMARY KEY, name UNIQUE, content)';

describe('the driver of SQLite', () => {
  let directory: ReturnType<typeof scratchDirectory>;
  let connection: SqliteConnection;
  const file = (): string => join(directory.path, 'things.sqlite');
  beforeEach(() => {
    directory = scratchDirectory();
    connection = new SqliteConnection(file());
    connection.exec(`PRAGMA journal_mode = WAL; ${CREATE}`);
  });
  afterEach(() => {
    connection.close();
    directory.remove();
  });

  const insert = (...values: SqlValue[]) => connection.prepare('INSERT INTO things VALUES (?, ?, ?)').run(...values);

  function codeOf(work: () => unknown): string | undefined {
    try {
      work();
    } catch (error) {
      return sqliteCode(error);
    }
    return 'nothing is thrown';
  }

  it("loads Node's own SQLite where Node calls it no experiment, libsql elsewhere, and warns of nothing", () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const hasOwn = major > 25 || (major === 24 && minor >= 15);
    const script = `await import(${JSON.stringify(compiled('src/platform/sqlite/driver.ts'))});
      console.log(process.report.getReport().sharedObjects.some((path) => path.includes('libsql')) ? 'libsql' : 'own');`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(child).toMatchObject({ stdout: hasOwn ? 'own\n' : 'libsql\n', stderr: '', status: 0 });
  });

  it('returns values as they were stored, as rows in the order of the columns', () => {
    const values = [null, 1, -2.5, 2 ** 53, 'ß 😀', '', Uint8Array.of(0, 255), new Uint8Array(0)];
    for (const [at, value] of values.entries()) insert(at, null, value);
    const rows = connection.prepare('SELECT content, id FROM things ORDER BY id').all();
    expect(rows.map(([content, id]) => [content instanceof Uint8Array ? [...content] : content, id])).toEqual(
      values.map((value, at) => [value instanceof Uint8Array ? [...value] : value, at]),
    );
    expect(connection.prepare('SELECT content FROM things WHERE id = ?').get(4)).toEqual(['ß 😀']);
    expect(connection.prepare('SELECT content FROM things WHERE id = ?').get(99)).toBeUndefined();
    expect(connection.prepare('DELETE FROM things WHERE id > ? RETURNING id').all(5)).toEqual([[6], [7]]);
  });

  it('counts changes', () => {
    expect(insert(7, 'a', null)).toMatchObject({ changes: 1, lastInsertRowid: 7 });
    expect(connection.prepare('UPDATE things SET name = ? WHERE id < ?').run('b', 3).changes).toBe(0);
    expect(connection.prepare('INSERT OR IGNORE INTO things VALUES (7, null, null)').run().changes).toBe(0);
  });

  it('gives errors the codes of SQLite', () => {
    insert(1, 'a', null);
    expect(codeOf(() => insert(1, 'b', null))).toBe('SQLITE_CONSTRAINT_PRIMARYKEY');
    expect(codeOf(() => insert(2, 'a', null))).toBe('SQLITE_CONSTRAINT_UNIQUE');
    expect(codeOf(() => connection.prepare('SELECT * FROM others'))).toBe('SQLITE_ERROR');
    connection.exec('PRAGMA max_page_count = 5');
    expect(codeOf(() => insert(3, 'c', 'x'.repeat(100_000)))).toBe('SQLITE_FULL');

    const strange = join(directory.path, 'strange.sqlite');
    writeFileSync(strange, 'x'.repeat(5000));
    const opened = new SqliteConnection(strange);
    expect(codeOf(() => opened.exec('PRAGMA user_version = 1'))).toBe('SQLITE_NOTADB');
    opened.close();
  });

  it('lets others read the last commit while a transaction writes, and refuses a second writer', () => {
    insert(1, 'a', null);
    const reader = new SqliteConnection(file(), { readonly: true });
    const other = new SqliteConnection(file(), { busyTimeout: 0 });
    connection.transaction(() => {
      insert(2, 'b', null);
      expect(reader.prepare('SELECT id FROM things').all()).toEqual([[1]]);
      expect(codeOf(() => other.exec('BEGIN IMMEDIATE'))).toBe('SQLITE_BUSY');
    });
    expect(reader.prepare('SELECT id FROM things').all()).toEqual([[1], [2]]);
    expect(codeOf(() => reader.exec('DELETE FROM things'))).toBe('SQLITE_READONLY');
    expect(() => connection.transaction(() => void insert(3, 'a', null))).toThrow('UNIQUE');
    other.exec('BEGIN IMMEDIATE; ROLLBACK');
    other.close();
    reader.close();
  });

  it('holds temporary tables in memory', () => {
    const [store] = connection.prepare('PRAGMA temp_store').get() ?? [];
    const options = connection.prepare('PRAGMA compile_options').all().flat();
    expect(store === 2 || options.includes('TEMP_STORE=2')).toBe(true);
  });
});
