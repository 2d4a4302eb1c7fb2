import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from './source-files.js';

interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** Answers the violations in `src`, `projections` and `web` of a folder. */
function violationsIn(folder: string): Promise<Violation[]> {
  const checker = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const options = [
    '--config',
    join(ROOT, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    'src',
    'projections',
    'web',
  ];
  return new Promise((resolve, reject) => {
    // The exit code of the checker is the number of violations. Only its output shows whether it ran.
    execFile(process.execPath, [checker, ...options], { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (!stdout.startsWith('{')) return reject(new Error(stderr || error?.message));
      const { summary } = JSON.parse(stdout) as {
        summary: { violations: { rule: { name: string }; from: string; to: string }[] };
      };
      resolve(summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })));
    });
  });
}

/** Files that each break one rule. */
const OFFENDERS: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['floor-of-kernel', 'src/platform/kernel/late.ts', "import '../log/event-store.js';"],
  ['floor-of-platform', 'src/platform/log/knows.ts', "import '../../events/noted.events.js';"],
  ['floor-of-platform', 'src/platform/commands/types.ts', "import type { One } from '../../features/one/first.js';"],
  ['floor-of-events', 'src/events/late.events.ts', "import '../platform/log/event-store.js';"],
  ['floor-of-directory', 'src/directory/shows.ts', "import '../../projections/seen/seen.documents.js';"],
  ['floor-of-directory', 'src/directory/decides.ts', "import '../platform/commands/runner.js';"],
  ['floor-of-read-models', 'projections/seen/asks.ts', "import '../../src/features/one/first.js';"],
  ['floor-of-runner', 'projections/runner/special.ts', "import '../seen/seen.documents.js';"],
  ['floor-of-features', 'src/features/one/starts.ts', "import '../../app/config/config.js';"],
  ['no-floor', 'src/elsewhere/new.ts', "import '../platform/kernel/position.js';"],
  ['features-in-a-circle', 'src/features/one', ''],
  ['platform-in-a-circle', 'src/platform/log', ''],
  ['rules-alone-in-domains', 'src/features/one/domain/reads.ts', "import '../../../platform/log/event-store.js';"],
  ['pure-domain', 'src/features/one/domain/files.ts', "import 'node:fs';"],
  ['pure-domain', 'src/features/one/domain/nest.ts', "import '@nestjs/common';"],
  ['queries-read-documents', 'src/features/one/queries/replays.ts', "import '../../../platform/log/event-store.js';"],
  [
    'commands-append-by-the-runner',
    'src/features/one/commands/go.ts',
    "import '../../../platform/log/event-store.js';",
  ],
  [
    'services-append-by-the-runner',
    'src/features/one/services/replays.ts',
    "import '../../../platform/log/event-store.js';",
  ],
  ['queries-append-by-nobody', 'src/features/three/queries/asks.ts', "import '../services/acts.js';"],
  ['controllers-translate', 'src/features/one/http/direct.ts', "import '../../../platform/log/event-store.js';"],
  [
    'http-shapes-documents',
    'src/features/one/http/finds.ts',
    "import { seen } from '../../../../projections/seen/seen.projection.js';",
  ],
  ['controllers-come-late', 'src/features/one/one.feature.ts', "import './http/shows.js';"],
  ['controllers-come-late', 'src/features/one/early.feature.ts', "import '../two/commands/two.handlers.js';"],
  ['roles-name-no-feature', 'src/app/roles/pushes.ts', "import '../../features/one/first.js';"],
  ['engines-behind-their-ports', 'src/directory/opens.ts', "import '../platform/log/sqlite/store.js';"],
  ['driver-libsql', 'src/platform/log/sqlite/other.ts', "import 'libsql';"],
  ['driver-mongodb', 'src/platform/log/sqlite/another.ts', "import 'mongodb';"],
  ['driver--eventstore-db-client', 'src/platform/log/third.ts', "import '@eventstore/db-client';"],
  ['small-kernel', 'src/platform/kernel/large.ts', "import 'immutable';"],
  ['pure-read-models', 'projections/seen/reads.ts', "import 'node:fs';"],
  ['no-cycles', 'src/directory/one.ts', "import './two.js';"],
  ['no-dead-files', 'src/directory/alone.ts', 'export const alone = 1;'],
  ['resolvable', 'src/directory/missing.ts', "import './nowhere.js';"],
  ['page-of-its-own', 'web/platform/shares.ts', "import '../../src/platform/kernel/position.js';"],
  ['server-without-page', 'src/app/renders.ts', "import '../../web/platform/api.js';"],
  ['platform-of-page', 'web/platform/knows.ts', "import '../features/one/first.js';"],
  ['features-of-page', 'web/features/two/borrows.ts', "import '../one/first.js';"],
  ['installed-with-the-package', 'src/app/tests.ts', "import 'jest';"],
];

const BYSTANDERS: readonly (readonly [path: string, text: string])[] = [
  ['src/platform/kernel/position.ts', 'export const START = 0;'],
  ['src/platform/log/event-store.ts', "import '../kernel/position.js';"],
  ['src/platform/log/sqlite/store.ts', "import '../event-store.js';"],
  ['src/platform/commands/runner.ts', "import '../log/event-store.js';"],
  ['src/platform/engines/open-engines.ts', "import '../log/sqlite/store.js';"],
  ['src/events/noted.events.ts', "import '../platform/kernel/position.js';"],
  ['src/directory/two.ts', "import './one.js';"],
  ['projections/seen/seen.documents.ts', "import '../../src/events/noted.events.js';"],
  [
    'projections/seen/seen.projection.ts',
    "import './seen.documents.js';\nexport type Seen = 1;\nexport const seen = 1;",
  ],
  ['src/features/one/first.ts', "import '../two/other.js';\nexport type One = 1;"],
  ['src/features/one/second.ts', "import '../../platform/kernel/position.js';"],
  ['src/features/two/other.ts', "import '../one/second.js';"],
  ['src/features/one/http/shows.ts', "import type { Seen } from '../../../../projections/seen/seen.projection.js';"],
  ['src/features/three/services/acts.ts', "import '../../../platform/commands/runner.js';"],
  ['src/features/two/two.feature.ts', "export const api = () => import('./commands/two.handlers.js');"],
  ['src/features/two/commands/two.handlers.ts', "import '../../../platform/kernel/position.js';"],
  ['src/app/config/config.ts', "import '../../platform/engines/open-engines.js';"],
  ['src/main.ts', "import './app/config/config.js';"],
  ['web/platform/api.ts', "import type { Made } from './api-types.js';\nexport type Answer = Made;"],
  ['web/features/one/first.ts', "import './second.js';\nimport '../../platform/api.js';"],
  ['web/features/one/second.ts', 'export const second = 2;'],
  ['web/main.ts', "import './features/one/first.js';"],
];

/** Files of a cycle that another file closes. */
const IN_CIRCLES = ['src/directory/two.ts', 'src/features/two', 'src/platform/kernel'];

/** `npm run arrows` checks this repository itself. */
describe('the rules of imports', () => {
  describe('in a repository that breaks each of them', () => {
    let folder: string;
    let violations: Violation[];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'arrows-'));
      const offenders = OFFENDERS.filter(([, , text]) => text !== '').map(([, path, text]) => [path, text] as const);
      for (const [path, text] of [...BYSTANDERS, ...offenders]) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), `${text}\nexport {};\n`);
      }
      for (const file of ['package.json', 'tsconfig.json', 'node_modules'])
        await symlink(join(ROOT, file), join(folder, file));
      violations = await violationsIn(folder);
    });

    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each(OFFENDERS)('with the rule %s refuse %s', (rule, path) => {
      expect(violations).toContainEqual(expect.objectContaining({ rule, from: path }));
    });

    it('refuse no other file', () => {
      const guilty = new Set(OFFENDERS.map(([, path]) => path));
      expect(violations.filter(({ from }) => !guilty.has(from) && !IN_CIRCLES.includes(from))).toEqual([]);
    });
  });
});
