import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { emptyDataDirectory } from '../../scripts/dev-data.js';
import { SqliteEventStore } from '../../src/platform/log/sqlite/sqlite-event-store.js';
import { WriterRefused } from '../../src/platform/sqlite/writer/writer-protocol.js';
import { newEvent } from '../support/engines/event-store-events.js';
import { withScratch } from '../support/scratch.js';

it('data of a server that runs are never removed; afterwards nothing is left of them', () =>
  withScratch(async (directory) => {
    await mkdir(join(directory, 'uploads'));
    await writeFile(join(directory, 'uploads', 'one'), 'a file');
    const store = await SqliteEventStore.open(directory);
    await store.append('users', [newEvent('Added')], 'any');

    await expect(emptyDataDirectory(directory)).rejects.toThrow(WriterRefused);
    expect((await store.readAll({ after: 0, limit: 10 })).events).toHaveLength(1);
    expect(existsSync(join(directory, 'uploads', 'one'))).toBe(true);

    await store.close();
    await emptyDataDirectory(directory);
    expect(existsSync(join(directory, 'log.sqlite'))).toBe(false);
    expect(existsSync(join(directory, 'uploads'))).toBe(false);
  }));
