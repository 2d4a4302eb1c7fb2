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

/** What the checker finds in the `src` and `projections` of a folder. */
function violationsIn(folder: string): Promise<Violation[]> {
  const checker = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const options = ['--config', join(ROOT, '.dependency-cruiser.cjs'), '--output-type', 'json', 'src', 'projections'];
  return new Promise((resolve, reject) => {
    // The checker's exit code is the number of violations: what it wrote tells whether it ran.
    execFile(process.execPath, [checker, ...options], { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (!stdout.startsWith('{')) return reject(new Error(stderr || error?.message));
      const { summary } = JSON.parse(stdout) as {
        summary: { violations: { rule: { name: string }; from: string; to: string }[] };
      };
      resolve(summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })));
    });
  });
}

/** One file each, which breaks one rule. */
const OFFENDERS: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['kernel-imports', 'src/kernel/late.ts', "import '../event-store/event-store.js';"],
  ['domain-imports', 'src/messages/domain/reads.ts', "import '../../event-store/event-store.js';"],
  ['domain-imports', 'src/messages/domain/borrows.ts', "import '../../users/domain/rename-user.js';"],
  ['pure-domain', 'src/messages/domain/files.ts', "import 'node:fs';"],
  ['pure-domain', 'src/messages/domain/nest.ts', "import '@nestjs/common';"],
  ['feature-http-imports', 'src/messages/http/direct.ts', "import '../../event-store/event-store.js';"],
  [
    'http-shapes-documents',
    'src/messages/http/finds.ts',
    "import { seen } from '../../../projections/seen.projection.js';",
  ],
  ['queries-imports', 'src/messages/queries/replays.ts', "import '../../event-store/event-store.js';"],
  ['commands-imports', 'src/messages/commands/appends.ts', "import '../../event-store/event-store.js';"],
  ['projections-imports', 'projections/asks.projection.ts', "import '../src/directory/directory.js';"],
  ['pure-projections', 'projections/reads.projection.ts', "import 'node:fs';"],
  ['engines-behind-their-ports', 'src/cli/opens.ts', "import '../event-store/sqlite/store.js';"],
  ['one-driver', 'src/event-store/sqlite/other.ts', "import 'libsql';"],
  ['no-cycles', 'src/directory/one.ts', "import './two.js';"],
  ['no-dead-files', 'src/directory/alone.ts', 'export const alone = 1;'],
  ['resolvable', 'src/directory/missing.ts', "import './nowhere.js';"],
  ['installed-with-the-package', 'src/cli/tests.ts', "import 'jest';"],
  ['unlayered', 'src/elsewhere/new.ts', "import '../kernel/position.js';"],
];

const BYSTANDERS: readonly (readonly [path: string, text: string])[] = [
  ['src/kernel/position.ts', 'export const START = 0;'],
  ['src/event-store/event-store.ts', "import '../kernel/position.js';"],
  ['src/event-store/sqlite/store.ts', "import '../event-store.js';"],
  ['src/users/domain/rename-user.ts', "import '../../kernel/position.js';"],
  ['src/directory/directory.ts', "import '../kernel/position.js';"],
  [
    'projections/seen.projection.ts',
    "import '../src/kernel/position.js';\nexport type Seen = 1;\nexport const seen = 1;",
  ],
  ['src/messages/http/shows.ts', "import type { Seen } from '../../../projections/seen.projection.js';"],
  ['src/directory/two.ts', "import './one.js';"],
  ['src/messages/messages.module.ts', "import '../event-store/sqlite/store.js';"],
];

describe('the arrows', () => {
  it('hold in this repository', async () => {
    expect(await violationsIn(ROOT)).toEqual([]);
  }, 120_000);

  describe('in a repository that breaks each of them', () => {
    let folder: string;
    let violations: Violation[];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'arrows-'));
      const offenders = OFFENDERS.map(([, path, text]) => [path, text] as const);
      for (const [path, text] of [...BYSTANDERS, ...offenders]) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), `${text}\nexport {};\n`);
      }
      for (const file of ['package.json', 'tsconfig.json', 'node_modules'])
        await symlink(join(ROOT, file), join(folder, file));
      violations = await violationsIn(folder);
    }, 120_000);

    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each(OFFENDERS)('%s refuses %s', (rule, path) => {
      expect(violations).toContainEqual(expect.objectContaining({ rule, from: path }));
    });

    it('accuses nobody else', () => {
      const guilty = new Set(OFFENDERS.map(([, path]) => path));
      expect(violations.filter(({ from }) => !guilty.has(from) && from !== 'src/directory/two.ts')).toEqual([]);
    });
  });
});
