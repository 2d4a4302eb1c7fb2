import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../scripts/free-port.js';
import { ROOT } from '../../../scripts/transpile.js';
import { eventually } from '../../support/eventually.js';
import { debianPackage } from '../../support/outside/debian.js';
import { Prometheus } from '../../support/outside/prometheus.js';
import { client } from '../../support/requests/http.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

/** Prometheus asks every 15 s. */
const SCRAPED_WITHIN_MS = 120_000;

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana-dashboard.json'), 'utf8')) as Dashboard;
const expressions = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
const names = new Set(expressions.flatMap(({ expr }) => expr.match(/\b(?:annals|process|nodejs)_[a-z0-9_]+/g) ?? []));

/** Names without a series before the first build, verification or backup. */
const LATER = [
  'annals_projection_build_ratio',
  'annals_verified_timestamp_seconds',
  'annals_verification_ratio',
  'annals_backup_timestamp_seconds',
];

const debian = await debianPackage('prometheus');

(debian ? describe : describe.skip)('a server that Prometheus reads with the configuration of deploy', () => {
  let folder: string;
  let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
  let server: RunningServer;
  let prometheus: Prometheus;

  beforeAll(async () => {
    if (!debian) throw new Error('there is no Prometheus');
    folder = await mkdtemp(join(tmpdir(), 'annals-prometheus-'));
    data = await temporaryDataDirectory();
    const target = `127.0.0.1:${await freePort()}`;
    server = await RunningServer.start(data.path, { ANNALS_METRICS: target });
    const { email, key: apiKey } = await server.owner();
    const owner = client(server.url).as({ email, apiKey });
    await owner.post('/messages', { type: 'channel', to: 'nowhere', topic: 't', content: 'x' });
    prometheus = await Prometheus.start(debian, folder, [target]);
  }, 300_000);
  afterAll(async () => {
    await prometheus?.stop();
    await server?.stop();
    await data?.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it(
    'is up, with a series of every name that the dashboard shows',
    async () => {
      await eventually(async () => {
        expect(await prometheus.query('up{job="annals"}')).toMatchObject([{ value: [expect.any(Number), '1'] }]);
        const found = await Promise.all(
          [...names].map(async (name) => ({ name, count: (await prometheus.query(name)).length })),
        );
        const missing = found.filter(({ name, count }) => count === 0 && !LATER.includes(name));
        expect(missing).toEqual([]);
      }, SCRAPED_WITHIN_MS);
      expect(names.size).toBeGreaterThan(15);
    },
    SCRAPED_WITHIN_MS + 10_000,
  );

  it.each(expressions)('understands the expression of $title: $expr', async ({ expr }) => {
    expect(Array.isArray(await prometheus.query(expr))).toBe(true);
  });
});
