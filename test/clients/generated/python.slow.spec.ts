import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonPackages } from '../../support/outside/python.js';
import { DescribedServer, PROGRAMS } from './exchange.js';

// The generator calls `ruff`, and warns where there is none.
const packages = await pythonPackages([
  'openapi-python-client==0.29.1',
  'openapi-spec-validator==0.9.0',
  'ruff==0.17.6',
]);

(packages ? describe : describe.skip)('a client in Python, made from the description', () => {
  const program = (name: string): string => packages?.program(name) ?? '';
  let server: DescribedServer;

  beforeAll(async () => {
    server = await DescribedServer.start();
  });
  afterAll(() => server?.stop());

  it('is made from a description that is valid', async () => {
    expect(await server.run(program('openapi-spec-validator'), [server.description])).toMatch(/: OK\n$/);
  });

  it('is made without a warning, sends, reads and polls', async () => {
    const PATH = `${join(program('ruff'), '..')}:${process.env.PATH}`;
    const client = join(server.folder, 'annals_client');
    const words = ['--path', server.description, '--output-path', client, '--meta', 'none', '--fail-on-warning'];
    const made = await server.run(program('openapi-python-client'), ['generate', ...words], { PATH });
    expect(made).not.toMatch(/warning|error|unable/i);

    const PYTHONPATH = server.folder;
    await server.expectExchange(program('python'), [join(PROGRAMS, 'exchange.py')], { PYTHONPATH });
  });
});
