import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { goProgram } from '../../support/outside/go.js';
import { DescribedServer, PROGRAMS } from './exchange.js';

const RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';
const generator = await goProgram('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2');

(generator ? describe : describe.skip)('a client in Go, made from the description', () => {
  let server: DescribedServer;
  const go = (...words: string[]) => server.run('go', words);

  beforeAll(async () => {
    server = await DescribedServer.start();
  });
  afterAll(() => server?.stop());

  it('is made without a warning, sends, reads and polls', async () => {
    const { folder, description } = server;
    await mkdir(join(folder, 'api'));
    await writeFile(join(folder, 'go.mod'), 'module example.org/exchange\n');
    await copyFile(join(PROGRAMS, 'exchange.go'), join(folder, 'exchange.go'));
    const words = ['-generate', 'types,client', '-package', 'api', '-o', join(folder, 'api/api.go'), description];
    expect(await server.run(generator ?? '', words)).toBe('');

    await go('get', RUNTIME);
    await go('build', '-o', 'exchange', '.');
    await server.expectExchange(join(folder, 'exchange'), []);
  });
});
