// Writes the classes of code by language, from snippets that Pygments has coloured.
// usage: node scripts/run.js scripts/derive-code-classes.ts
import { writeFile } from 'node:fs/promises';
import { learnRows, readSamples, tablesOf } from './code-classes.js';

const samples = (await readSamples()).flat();
for (const [file, table] of tablesOf(learnRows(samples))) await writeFile(file, table);
