// @ts-check
// `npm run bench`: see measure.js, and measure-engines.js for `--engines`; here only what makes their imports work.
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../dist/src/cli/main.js', import.meta.url))) {
  console.error('There is nothing to measure yet. Run: npm run build');
  process.exit(1);
}
await import(process.argv.includes('--engines') ? './measure-engines.js' : './measure.js');
