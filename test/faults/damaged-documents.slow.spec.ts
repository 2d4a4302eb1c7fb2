import { basename } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAMAGES, type Damage } from '../support/damage.js';
import type { OwnEngines } from '../support/engines/own-engines.js';
import { copyOf, documentFiles, servedDocuments, warningsOf } from '../support/servers/served-documents.js';

const KINDS = Object.keys(DAMAGES) as readonly Damage[];

let served: OwnEngines;
beforeAll(async () => {
  served = await servedDocuments();
});
afterAll(() => served.remove());

// One file after the other: each kind of damage has its share of them.
it.each(KINDS)('each damaged file of documents alone is built anew, and named once: %s', async (damage) => {
  const names = (await documentFiles(served)).map((path) => basename(path));
  for (const name of names.filter((_, at) => KINDS[at % KINDS.length] === damage)) {
    const engines = await copyOf(served);
    try {
      const path = (await documentFiles(engines)).find((one) => basename(one) === name) ?? '';
      await DAMAGES[damage](path);
      const warnings = await warningsOf(engines);
      expect({ name, warnings }).toEqual({ name, warnings: [expect.stringContaining(`${path} was damaged`)] });
    } finally {
      await engines.remove();
    }
  }
});
