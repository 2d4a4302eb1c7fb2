/**
 * The floors of the house: who may import whom, by folder alone. A floor may import itself and what is listed; types
 * count like code. `test/architecture/arrows.spec.ts` breaks each rule once.
 */
const KERNEL = '^src/platform/kernel/';
const PLATFORM = '^src/platform/';
const EVENTS = '^src/events/';
const DIRECTORY = '^src/directory/';
const RUNNER = '^projections/runner/';
const READ_MODELS = '^projections/(?!runner/)';
const FEATURES = '^src/features/';
const APP = '^src/(app/|main\\.ts$)';
const platform = (...folders) => `^src/platform/(${folders.join('|')})/`;

/** Each from the bottom up, with the floors below it that it may import. */
const FLOORS = [
  { name: 'kernel', from: KERNEL, to: [] },
  { name: 'platform', from: PLATFORM, to: [] },
  { name: 'events', from: EVENTS, to: [KERNEL] },
  { name: 'directory', from: DIRECTORY, to: [EVENTS, platform('kernel', 'documents', 'log', 'read-models', 'http')] },
  { name: 'read-models', from: READ_MODELS, to: [DIRECTORY, EVENTS, platform('kernel', 'documents', 'read-models')] },
  { name: 'runner', from: RUNNER, to: [PLATFORM] },
  { name: 'features', from: FEATURES, to: [READ_MODELS, DIRECTORY, EVENTS, PLATFORM] },
  { name: 'app', from: APP, to: [FEATURES, RUNNER, READ_MODELS, DIRECTORY, EVENTS, PLATFORM] },
];

const DOMAIN = '^src/features/[^/]+/domain/';
const MARKDOWN = '^src/features/markdown/';
const QUERIES = '^src/features/[^/]+/queries/';
const COMMANDS = '^src/features/[^/]+/commands/';
const SERVICES = '^src/features/[^/]+/services/';
const HTTP = '^src/features/[^/]+/http/';
const ADAPTERS = '^src/platform/[^/]+/(sqlite|eventstoredb|mongodb|in-process|outbox|disk)/';
const DRIVERS = [
  { name: 'libsql', folder: platform('sqlite') },
  { name: 'mongodb', folder: ['^src/platform/mongodb/', '^src/platform/[^/]+/mongodb/'] },
  { name: '@eventstore/db-client', folder: '^src/platform/log/eventstoredb/' },
  { name: 'sharp', folder: platform('pictures') },
  { name: 'undici', folder: platform('outgoing') },
];

const OWN_CODE = '^(src|projections)/';
const WEB = '^web/';
const WEB_PLATFORM = '^web/platform/';
/** `npm run types` makes it, and it is not in the repository. */
const MADE_TYPES = 'api-types(\\.js|\\.d\\.ts)$';
const installed = (name) => `node_modules/${name}/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...FLOORS.map(({ name, from, to }) => ({
      name: `floor-of-${name}`,
      comment: `${name} may import itself and ${to.join(', ') || 'nothing else'}`,
      severity: 'error',
      from: { path: from },
      to: { path: OWN_CODE, pathNot: [from, ...to] },
    })),
    {
      name: 'no-floor',
      comment: 'the file stands on no floor: put it where its kind lives',
      severity: 'error',
      from: { path: OWN_CODE, pathNot: FLOORS.map(({ from }) => from) },
      to: {},
    },
    {
      name: 'features-in-a-circle',
      comment: 'features import each other in one direction; what two need lies in a third, or below',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/features/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'platform-in-a-circle',
      comment: 'folders of the platform import each other in one direction',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/platform/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'rules-alone-in-domains',
      comment: 'a domain knows events, domains and the rules of markdown; facts come in as arguments',
      severity: 'error',
      from: { path: DOMAIN },
      to: { path: OWN_CODE, pathNot: [DOMAIN, MARKDOWN, EVENTS, KERNEL, platform('documents')] },
    },
    {
      name: 'pure-domain',
      comment: 'rules are plain functions: collections, hashes and parsers are all that they need',
      severity: 'error',
      from: { path: [DOMAIN, MARKDOWN] },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        dependencyTypesNot: ['type-only'],
        pathNot: [
          installed('(immutable|katex|tlds|gemoji|unicode-emoji-json|re2js|@std-uritemplate/std-uritemplate)'),
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'queries-read-documents',
      comment: 'a query reads documents and the directory: it appends nothing and opens no log',
      severity: 'error',
      from: { path: QUERIES },
      to: { path: [platform('log', 'commands', 'content-keys', 'consumers'), COMMANDS, HTTP] },
    },
    {
      name: 'commands-append-by-the-runner',
      comment: 'a handler appends by the command runner, which knows the log and the keys',
      severity: 'error',
      from: { path: COMMANDS },
      to: { path: [platform('log', 'content-keys'), HTTP] },
    },
    {
      name: 'services-append-by-the-runner',
      comment: 'a service knows no requests, and the log and the keys only by the command runner',
      severity: 'error',
      from: { path: SERVICES },
      to: { path: [platform('log', 'content-keys'), HTTP] },
    },
    {
      name: 'queries-append-by-nobody',
      comment: 'what a query reads with does not append either; the audit alone records who read it',
      severity: 'error',
      from: { path: QUERIES, pathNot: '^src/features/audit/' },
      to: { path: platform('commands'), reachable: true },
    },
    {
      name: 'controllers-translate',
      comment: 'a controller dispatches; what it may know of the engines is nothing',
      severity: 'error',
      from: { path: HTTP },
      to: { path: platform('log', 'documents', 'content-keys', 'commands', 'consumers', 'read-models', 'bus') },
    },
    {
      name: 'http-shapes-documents',
      comment: 'http may know what a document looks like; reading one is a query',
      severity: 'error',
      from: { path: HTTP },
      to: { path: '\\.projection\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'controllers-come-late',
      comment:
        'a declaration is read by processes that answer nobody: it imports the files of its api when they are asked for',
      severity: 'error',
      from: { path: '\\.feature\\.ts$' },
      to: {
        path: [HTTP, '\\.(handlers?|queries|client-events|register)\\.ts$'],
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'roles-name-no-feature',
      comment: 'roles and health are built from the declarations: app/features.ts derives what they need',
      severity: 'error',
      from: { path: '^src/app/(roles|health)/' },
      to: { path: FEATURES },
    },
    {
      name: 'engines-behind-their-ports',
      comment: 'only the adapters, the folder that opens engines, and the app name an adapter',
      severity: 'error',
      from: { path: OWN_CODE, pathNot: [ADAPTERS, platform('engines'), APP] },
      to: { path: ADAPTERS },
    },
    ...DRIVERS.map(({ name, folder }) => ({
      name: `driver-${name.replace(/\W+/g, '-')}`,
      comment: `${name} is named by its adapters alone`,
      severity: 'error',
      from: { pathNot: folder },
      to: { path: installed(name) },
    })),
    {
      name: 'small-kernel',
      severity: 'error',
      from: { path: KERNEL },
      to: { dependencyTypes: ['npm', 'npm-dev'], dependencyTypesNot: ['type-only'], pathNot: installed('uuid') },
    },
    {
      name: 'pure-read-models',
      comment: 'an event and own documents give changes, and nothing else does',
      severity: 'error',
      from: { path: [READ_MODELS, EVENTS] },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dead-files',
      comment: 'nothing imports it, and it imports nothing',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.thread\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
    {
      name: 'page-of-its-own',
      comment: 'the page knows the server by its API alone',
      severity: 'error',
      from: { path: WEB },
      to: { path: '^(src|projections|test|scripts|bench)/' },
    },
    {
      name: 'server-without-page',
      comment: 'the server serves the page as files',
      severity: 'error',
      from: { path: OWN_CODE },
      to: { path: WEB },
    },
    {
      name: 'platform-of-page',
      comment: 'the platform of the page knows none of its features',
      severity: 'error',
      from: { path: WEB_PLATFORM },
      to: { path: WEB, pathNot: WEB_PLATFORM },
    },
    {
      name: 'features-of-page',
      comment: 'a feature of the page knows itself and the platform; main.tsx puts features together',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: WEB, pathNot: [WEB_PLATFORM, '^web/features/$1/'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: [MADE_TYPES, '^vite/client$'] },
    },
    {
      name: 'installed-with-the-package',
      comment: 'what runs must come with the package: move it to dependencies',
      severity: 'error',
      from: { path: OWN_CODE },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
