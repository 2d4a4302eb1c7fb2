import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { newEvent } from '../support/engines/event-store-events.js';
import { withScratch } from '../support/scratch.js';

it('a log with events is not opened with an empty store of keys', () =>
  withScratch(async (dataDirectory) => {
    const engines = await openEngines({ dataDirectory });
    await engines.eventStore.append('users', [newEvent('Added')], 'new');
    await engines.close();
    for (const suffix of ['', '-wal', '-shm']) await rm(join(dataDirectory, `keys.sqlite${suffix}`), { force: true });
    await expect(openEngines({ dataDirectory })).rejects.toThrow('Restore keys.sqlite from its backup');
  }));

it('a missing log is not created', () =>
  withScratch(async (directory) => {
    const dataDirectory = join(directory, 'mistyped');
    await expect(openEngines({ dataDirectory, mustExist: true })).rejects.toThrow('There is no log');
  }));
