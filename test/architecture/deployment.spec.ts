import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { LONGEST_STOP_MS } from '../../src/app/cli/stop-signals.js';
import { settings } from '../../src/app/config/config.js';
import { readConfig } from '../../src/app/config/read-config.js';
import { HEALTH_PATHS } from '../../src/app/health/front.js';
import { createHttpAdapter } from '../../src/platform/http/http-adapter.js';
import type { CommandName } from '../../src/platform/settings/setting.js';
import { ROOT } from './source-files.js';

interface Service {
  readonly extends?: { readonly file: string; readonly service: string };
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly mem_limit?: string;
  readonly logging?: object;
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

const parsed = (file: string): Compose =>
  parse(
    read(file).replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, otherwise: string) => otherwise),
    { merge: true },
  );

/** Answers the file as compose reads it without any variable of the operator. */
function composed(file: string): Compose {
  const { services, ...rest } = parsed(file);
  const whole = Object.entries(services).map(([name, service]) => [name, extended(service)]);
  return { ...rest, services: Object.fromEntries(whole) };
}

function extended(service: Service): Service {
  if (!service.extends) return service;
  const { file, service: name } = service.extends;
  const base = parsed(file).services[name];
  // Its paths begin at its own file.
  const volumes = (base?.volumes ?? []).map((volume) => volume.replace(/^\.\//, `./${dirname(file)}/`));
  return { ...base, ...service, volumes: [...volumes, ...(service.volumes ?? [])] };
}

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
    expect(images).toHaveLength(9);
    expect(images.filter((image) => !/:v?\d+\.\d+\.\d+(-[a-z-]+)?$/.test(image))).toEqual([]);
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

describe.each(FILES)('the metrics of %s', (file) => {
  const all = composed(file).services;
  const { prometheus, grafana } = all;
  const mounts = Object.fromEntries(
    [prometheus, grafana].flatMap((service) =>
      (service?.volumes ?? []).map((volume) => volume.split(':').slice(0, 2).reverse()),
    ),
  ) as Readonly<Record<string, string>>;
  const mounted = (path: string): string => read(mounts[path] ?? `nothing at ${path}`);

  it('are read only if that is wanted, within bounds', () => {
    for (const service of [prometheus, grafana]) {
      expect(service?.profiles).toEqual(['metrics']);
      expect(service?.mem_limit).toMatch(/^\d+m$/);
      expect(service?.logging).toMatchObject({ options: { 'max-size': '10m', 'max-file': '5' } });
    }
  });

  it('are told by every process, at an address that only the network of compose reaches', () => {
    const processes = ours.filter((service) => service.file === file);
    const [{ targets }] = parse(mounted('/etc/prometheus/targets.yml')) as [{ targets: string[] }];
    expect(targets.sort()).toEqual(processes.map(({ name }) => `${name}:9464`).sort());
    for (const { service } of processes) expect(service.environment?.ANNALS_METRICS).toBe('0.0.0.0:9464');
    expect(caddyfile).not.toContain('9464');
    const published = Object.values(all).flatMap(({ ports = [] }) => ports);
    expect(published.sort()).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:9991:9991']);
  });

  it('are found by Prometheus and Grafana in files that are there', () => {
    for (const path of Object.values(mounts).filter((from) => from.startsWith('.')))
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    expect(prometheus?.command).toContain('--config.file=/etc/prometheus/prometheus.yml');
    expect(parse(mounted('/etc/prometheus/prometheus.yml')).scrape_configs).toMatchObject([
      { file_sd_configs: [{ files: ['targets.yml'] }] },
    ]);
    const [source] = parse(mounted('/etc/grafana/provisioning/datasources/annals.yml')).datasources;
    expect(source).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true });
    const [provider] = parse(mounted('/etc/grafana/provisioning/dashboards/annals.yml')).providers;
    const dashboard = grafana?.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
    expect(dirname(dashboard)).toBe(provider.options.path);
    expect(JSON.parse(mounted(dashboard)).templating.list).toMatchObject([{ type: 'datasource', query: source.type }]);
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
