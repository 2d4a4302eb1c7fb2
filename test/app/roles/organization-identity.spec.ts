import { describe, expect, it } from '@jest/globals';
import { OrganizationIdentity } from '../../../src/app/roles/organization-identity.js';
import { ORGANIZATION_STREAM } from '../../../src/events/organization/organization.events.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { StartRefused } from '../../../src/platform/kernel/start-refused.js';
import type { EventStore } from '../../../src/platform/log/event-store.js';
import { newEvent } from '../../support/engines/event-store-events.js';
import { withScratch } from '../../support/scratch.js';

/** Engines that other organizations may use, too. No test here connects to them. */
const distributed = { eventStoreUrl: '', streamPrefix: '', mongodbUrl: '' };

async function checked(work: (engines: Engines) => Promise<Engines>): Promise<void> {
  await withScratch(async (dataDirectory) => {
    const engines = await openEngines({ dataDirectory });
    try {
      await new OrganizationIdentity(await work(engines), { dataDirectory, distributed }).check();
    } finally {
      await engines.close();
    }
  });
}

/** The same log, in which another process creates the organization right after the first read. */
function createdMeanwhile(store: EventStore): EventStore {
  let isCreated = false;
  const after = async <T>(read: Promise<T>): Promise<T> => {
    const found = await read;
    if (!isCreated) await store.append(ORGANIZATION_STREAM, [newEvent('OrganizationCreated')], 'new');
    isCreated = true;
    return found;
  };
  const looks: Pick<EventStore, 'head' | 'readStream'> = {
    head: () => after(store.head()),
    readStream: (...asked) => after(store.readStream(...asked)),
  };
  return Object.assign(Object.create(store), looks);
}

describe('a process that starts', () => {
  it('is not refused while another process creates the organization', () =>
    checked(async (engines) => ({ ...engines, eventStore: createdMeanwhile(engines.eventStore) })));

  it('is refused on the log of another program', async () => {
    const started = checked(async (engines) => {
      await engines.eventStore.append('orders', [newEvent('OrderPlaced')], 'any');
      return engines;
    });
    await expect(started).rejects.toThrow(StartRefused);
    await expect(started).rejects.toThrow('another program');
  });
});
