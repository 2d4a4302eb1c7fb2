import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { DescribedServer, PROGRAMS } from './exchange.js';

const program = (path: string): string => join(ROOT, 'node_modules', path);
const RULES = join(ROOT, 'test/clients/generated/redocly.yaml');

const STRICT = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  strict: true,
  noUncheckedIndexedAccess: true,
  types: ['node'],
};

describe('a client in TypeScript, made from the description', () => {
  let server: DescribedServer;
  const node = (...words: string[]) => server.run(process.execPath, words);

  beforeAll(async () => {
    server = await DescribedServer.start();
  });
  afterAll(() => server?.stop());

  it('is made without a warning, type-checks, sends, reads and polls', async () => {
    const { folder, description } = server;
    const types = join(folder, 'api.d.ts');
    const made = await node(program('openapi-typescript/bin/cli.js'), description, '-o', types, '--redocly', RULES);
    expect(made).not.toMatch(/[⚠✘]/);

    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await copyFile(join(PROGRAMS, 'exchange.ts'), join(folder, 'exchange.ts'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT }));
    await node(program('typescript/bin/tsc'), '-p', folder);

    await server.expectExchange(process.execPath, [join(folder, 'exchange.js')]);
  });
});
