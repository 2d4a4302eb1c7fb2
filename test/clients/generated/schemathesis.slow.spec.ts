import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { pythonPackages } from '../../support/outside/python.js';
import { DescribedServer } from './exchange.js';

const SETTINGS = join(ROOT, 'test/clients/generated/schemathesis.toml');

/** The operations that the settings leave out. */
const LEFT_OUT = 3;

/** A run takes two minutes. A machine that is ten times slower ends it, too. */
const ENDED_WITHIN_MS = 1_500_000;

const packages = await pythonPackages(['schemathesis==4.32.5']);

(packages ? describe : describe.skip)('the description, tried by schemathesis', () => {
  let server: DescribedServer;

  beforeAll(async () => {
    server = await DescribedServer.start({ ANNALS_HEARTBEAT_SECONDS: '1' });
  });
  afterAll(() => server?.stop());

  it(
    'has every answer of every operation, and none is a fault of the server',
    async () => {
      const { annals, description } = server;
      const { api, email, apiKey } = await annals.owner();
      const { paths } = (await api.get('/openapi.json')).body;
      const operations = Object.values(paths).flatMap((methods) => Object.keys(methods as object)).length;

      const words = ['--config-file', SETTINGS, 'run', description, '--url', `${annals.url}/api/v1`];
      const credentials = ['--auth', `${email}:${apiKey}`];
      const said = await server.run(
        packages?.program('schemathesis') ?? '',
        [...words, ...credentials],
        {},
        ENDED_WITHIN_MS,
      );
      expect(said).toMatch(new RegExp(`Tested: +${operations - LEFT_OUT}\\n`));
      // The account could ask until the end.
      expect((await api.get('/users/me')).body).toMatchObject({ email, is_owner: true });
    },
    ENDED_WITHIN_MS + 60_000,
  );
});
