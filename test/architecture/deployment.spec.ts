import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { LONGEST_STOP_MS } from '../../src/app/cli/stop-signals.js';
import { settings } from '../../src/app/config/config.js';
import type { CommandName } from '../../src/app/config/config-setting.js';
import { readConfig } from '../../src/app/config/read-config.js';
import { HEALTH_PATHS } from '../../src/app/health/front.js';
import { createHttpAdapter } from '../../src/platform/http/http-adapter.js';
import { ROOT } from './source-files.js';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly hostname?: string;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Answers the file as compose reads it without any variable of the operator. */
const composed = (file: string): Compose =>
  parse(
    read(file).replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, otherwise: string) => otherwise),
    { merge: true },
  );

const FILES = ['docker-compose.yml', 'docker-compose.embedded.yml'] as const;
const dockerfile = read('Dockerfile');
const caddyfile = read('deploy/Caddyfile');
const setByDockerfile = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' ').map((pair) => pair.split('='))),
);
const [, byDefault = ''] = /^CMD \["(\w+)"\]$/m.exec(dockerfile) ?? [];

const services = FILES.flatMap((file) =>
  Object.entries(composed(file).services).map(([name, service]) => ({ file, name, service })),
);
/** The services that run Annals, each with its command. */
const ours = services.flatMap(({ service, ...where }) =>
  service.build ? [{ ...where, service, command: (service.command?.[0] ?? byDefault) as CommandName }] : [],
);

const isSetting = (name: string): boolean => /^(ANNALS_|EVENTSTORE_URL$|MONGODB_URL$)/.test(name);

/** Answers the number of seconds of a directive in the Caddyfile. */
const seconds = (directive: string): number => Number(new RegExp(`\\b${directive} (\\d+)s$`, 'm').exec(caddyfile)?.[1]);

const healthUrls = (text: string): string[] =>
  [...text.matchAll(/http:\/\/127\.0\.0\.1:\S*?(?=['")\]\s]|$)/g)].map(String);

describe('the deployment', () => {
  it('has two api processes and one projections process, or one embedded process', () => {
    expect(ours.map(({ file, command }) => [file, command])).toEqual([
      ['docker-compose.yml', 'projections'],
      ['docker-compose.yml', 'api'],
      ['docker-compose.yml', 'api'],
      ['docker-compose.embedded.yml', 'start'],
    ]);
  });

  it.each(ours)('sets only settings of its command for $name of $file', ({ service, command }) => {
    const given = { ...setByDockerfile, ...service.environment };
    const taken = [...settings.values()].filter(({ commands }) => commands.includes(command));
    const unknown = Object.keys(given)
      .filter(isSetting)
      .filter((name) => !taken.some(({ environment }) => environment === name));
    expect(unknown).toEqual([]);
    expect(readConfig(command, {}, given)).toMatchObject({ host: '0.0.0.0', dataDirectory: '/data' });
  });

  it.each(ours)('gives $name of $file longer to stop than it takes', ({ service }) => {
    expect(service.stop_grace_period).toMatch(/^\d+s$/);
    expect(Number.parseInt(service.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(LONGEST_STOP_MS);
  });

  it('gives every process the same engines', () => {
    const engines = ours
      .filter(({ file }) => file === 'docker-compose.yml')
      .map(({ service }) => [service.environment?.EVENTSTORE_URL, service.environment?.MONGODB_URL].join(' '));
    expect(new Set(engines).size).toBe(1);
    const { eventstore, mongodb } = composed('docker-compose.yml').services;
    expect(engines[0]).toMatch(
      /^esdb:\/\/eventstore:2113\?tls=false mongodb:\/\/mongodb:27017\/\w+\?replicaSet=annals$/,
    );
    expect(mongodb?.hostname).toBe('mongodb');
    expect(mongodb?.command?.join(' ')).toContain('--replSet annals');
    expect(String(mongodb?.healthcheck?.test)).toContain(`_id: 'annals', members: [{ _id: 0, host: 'mongodb:27017' }]`);
    expect(eventstore?.environment).toMatchObject({
      EVENTSTORE_MEM_DB: 'false',
      EVENTSTORE_UNSAFE_DISABLE_FLUSH_TO_DISK: 'false',
    });
  });

  it('pins the version of every image', () => {
    const images = [
      ...services.flatMap(({ service }) => (service.build ? [] : (service.image ?? 'no image'))),
      ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
    ];
    expect(images).toHaveLength(5);
    expect(images.filter((image) => !/:\d+\.\d+\.\d+(-[a-z-]+)?$/.test(image))).toEqual([]);
  });

  it.each(services)('restarts $name of $file, and starts it after its dependencies', ({ file, service }) => {
    const { services: all, volumes } = composed(file);
    expect(service.restart).toBe('unless-stopped');
    expect(service.healthcheck?.test[0]).toBe('CMD');
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(all)).toContain(name);
      expect(condition).toMatch(/^service_(healthy|started)$/);
    }
    const named = (service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((name) => /^\w/.test(name));
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
  });

  it('copies everything that the program imports into the image', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?:--from=build \/annals\/)?(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    const imported = [...read('bin/annals.js').matchAll(/import(?:\(| .* from )'(\.[^']+)'/g)].map(([, path = '']) =>
      join('bin', path).replaceAll('\\', '/'),
    );
    expect(imported.length).toBeGreaterThan(1);
    expect(imported.filter((path) => !copied.some((name) => path === name || path.startsWith(`${name}/`)))).toEqual([]);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('sets the same young generation of Node as `npm start`', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const [flag] = /--max-semi-space-size=\d+/.exec(scripts.start ?? '') ?? [];
    expect(flag).toBeDefined();
    expect(scripts.bench).toContain(flag);
    expect(dockerfile).toMatch(new RegExp(`^ENTRYPOINT \\["node", "${flag}", "/annals/bin/annals.js"\\]$`, 'm'));
    expect(read('docs/operations.md')).toContain(`NODE_OPTIONS=${flag}`);
  });

  it('checks health at paths that exist', () => {
    const port = settings.get('port')?.default;
    const asked = [...services.map(({ service }) => String(service.healthcheck?.test)), dockerfile].flatMap(healthUrls);
    expect(asked.length).toBeGreaterThanOrEqual(ours.length + 2);
    for (const url of asked) {
      expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/`));
      expect(HEALTH_PATHS).toContain(new URL(url).pathname);
    }
    expect(HEALTH_PATHS).toContain(/^\s*health_uri (\S+)$/m.exec(caddyfile)?.[1]);
  });
});

describe('the unit of systemd', () => {
  const unit = read('deploy/annals.service');
  const values = (name: string): string[] =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  it('starts what the package has, as npm start does, and gives it time to stop', () => {
    const flag = /--max-semi-space-size=\d+/.exec(dockerfile)?.[0];
    expect(values('ExecStart')).toEqual([`/usr/bin/node ${flag} /usr/lib/node_modules/annals/bin/annals.js start`]);
    expect(Number(values('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(LONGEST_STOP_MS);
  });

  it('keeps the data where the settings say, readable by nobody else', () => {
    const set = Object.fromEntries(
      values('Environment').flatMap((pairs) => pairs.split(' ').map((pair) => pair.split('='))),
    );
    expect(set.ANNALS_DATA_DIR).toBe(`/var/lib/${values('StateDirectory')[0]}`);
    expect(values('StateDirectoryMode')).toEqual(['0700']);
    const names = [...settings.values()].map(({ environment }) => environment);
    expect(Object.keys(set).filter((name) => isSetting(name) && !names.includes(name))).toEqual([]);
  });
});

describe('the proxy', () => {
  it('is in front of every api process', () => {
    const [, upstreams = ''] = /reverse_proxy \{\$UPSTREAMS:([^}]*)\}/.exec(caddyfile) ?? [];
    const answering = ours.filter(({ command }) => command === 'api').map(({ name }) => name);
    expect(upstreams.split(' ')).toEqual(answering.map((name) => `${name}:${settings.get('port')?.default}`));
  });

  it('is trusted by the api processes only', () => {
    for (const { file, command, service } of ours) {
      const proxies = service.environment?.ANNALS_TRUSTED_PROXIES;
      expect(proxies).toBe(file === 'docker-compose.yml' && command === 'api' ? 'uniquelocal' : undefined);
    }
  });

  it('waits longer than any poll, and closes idle connections before the process does', async () => {
    const poll = Number(settings.get('heartbeatSeconds')?.default);
    expect(seconds('response_header_timeout')).toBeGreaterThan(Math.max(90, 1.5 * poll));
    const adapter = createHttpAdapter({ logLevel: 'silent' });
    const { timeout } = adapter.getInstance().server;
    await adapter.close();
    expect(seconds('keepalive') * 1000).toBeLessThan(timeout);
  });

  it('repeats only requests that change nothing', () => {
    const [, match = ''] = /lb_retry_match \{([^}]*)\}/.exec(caddyfile) ?? [];
    expect(match.trim().split(/\s*\n\s*/)).toEqual(['method GET', 'header !Content-Length']);
    expect(caddyfile).not.toMatch(/unhealthy_status|handle_response/);
  });
});
