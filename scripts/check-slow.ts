// Runs a turn's part of the slow specs, except those of clients of others:
//   node scripts/run.js scripts/check-slow.ts TURN [jest options]
import { existsSync } from 'node:fs';
import { isSlow, runJest, specsOf } from './jest.js';
import { run } from './processes.js';
import { inTurn } from './spec-groups.js';

const BROWSER = '/usr/bin/chromium';

const [turn = '1/1', ...options] = process.argv.slice(2);
const specs = await inTurn((await specsOf(['test/(?!clients/)'])).filter(isSlow), turn);
console.log(`part ${turn} of the slow specs`);
if (specs.some((path) => path.includes('in-browser'))) await installBrowser();
process.exitCode = await runJest({ options, specs });

/** Installs Debian's browser, where that is possible. Without it, the specs of pages say so and are skipped. */
async function installBrowser(): Promise<void> {
  if (existsSync(BROWSER) || process.getuid?.() !== 0) return;
  const install = 'timeout 120 apt-get install -y -qq --no-install-recommends chromium';
  await run(`timeout 60 apt-get update -qq && ${install}`).catch(() => console.log('the browser cannot be installed'));
}
