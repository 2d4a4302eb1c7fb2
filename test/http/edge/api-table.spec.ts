import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allClientEventKinds } from '../../support/client-state/client-event-kinds.js';
import { apiTable, servedBy } from '../../support/requests/api-table.js';
import { operationsOf } from '../../support/requests/operations.js';
import { publishedEvents, publishedOperations } from '../../support/requests/published-schemas.js';
import { Annals } from '../../support/servers/annals.js';

const FILE = new URL('../../../docs/api.md', import.meta.url);

/** Events that are in no log. */
const EPHEMERAL = ['typing', 'typing_edit_message', 'presence', 'heartbeat'];

describe('docs/api.md', () => {
  let annals: Annals;
  beforeAll(async () => {
    annals = await Annals.start();
  });
  afterAll(async () => annals.stop());

  it('tells truly which published operations are answered, and why others are not', async () => {
    const { api } = await annals.owner();
    const kinds = (await allClientEventKinds()).map(({ kind }) => kind);
    const events = { published: publishedEvents, sent: new Set([...kinds, ...EPHEMERAL]) };
    const table = apiTable(publishedOperations, servedBy(await operationsOf(api)), events);
    if (process.env.UPDATE_DOCS) writeFileSync(FILE, table);
    expect(readFileSync(FILE, 'utf8')).toBe(table);
  });
});
