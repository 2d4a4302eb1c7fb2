// Runs the rules, and the contracts on Node's own SQLite, on the newest Node that is maintained long. The registry of packages
// has Node itself.
import { join } from 'node:path';
import { withScratch } from '../test/support/scratch.js';
import { run, runTests } from './processes.js';

const ON_SQLITE = 'test/(contracts/.*[.]sqlite|platform/sqlite/)';

await withScratch(async (folder) => {
  await run(`npm install --silent --no-save --prefix '${folder}' node@24`);
  const PATH = `${join(folder, 'node_modules/node/bin')}:${process.env.PATH}`;
  process.exitCode = await runTests(`node --version && npm run test:unit -- '${ON_SQLITE}'`, { PATH });
});
