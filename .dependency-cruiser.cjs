/**
 * Who may import whom. A layer is a folder pattern; it may import itself, the kernel, and what is listed. Types count
 * like code. A new folder must join a layer: `unlayered` refuses it otherwise.
 */
const KERNEL = '^src/kernel/';
const PORTS = '^src/(event-store|document-store|content-keys|file-store|bus|mail)/[^/]+\\.ts$';
const EVENT_STORE = '^src/event-store/[^/]+\\.ts$';
const DOCUMENT_STORE = '^src/document-store/[^/]+\\.ts$';
const FILE_STORE = '^src/file-store/[^/]+\\.ts$';
/** Pure: where words begin and end, for indexes and for whoever looks at one text. */
const TOKENIZER = '^src/document-store/tokenize\\.ts$';
const BUS = '^src/bus/[^/]+\\.ts$';
const CONTENT_KEYS = '^src/content-keys/[^/]+\\.ts$';
const MAIL = '^src/mail/[^/]+\\.ts$';
const ADAPTERS = '^src/[^/]+/(sqlite|eventstoredb|mongodb|in-process|outbox|disk)/';
const DRIVER = '^src/sqlite/driver\\.ts$';
const THREADS = '^src/threads/';
const CODEC = '^src/event-codec/';
const CHAIN = '^src/chain/';
const SQLITE = '^src/sqlite/';
const MONGODB = '^src/mongodb/';
const DOMAIN = '^src/[^/]+/domain/';
/** What events are made of: their types, how old shapes become today's, and the tables of settings that they carry. */
const DOMAIN_EVENTS = '^src/[^/]+/domain/[^/]+\\.(events|settings|upcasters)\\.ts$';
/** What topics may be called, and how words link to them: the same wherever one is named. */
const TOPIC_NAMES = '^src/messages/domain/topic-(name|link)\\.ts$';
const COMMANDS = '^src/[^/]+/commands/';
/** The one command that asks the log itself what became of an append (D3). */
const EXACTLY_ONCE = '^src/messages/commands/exactly-once\\.ts$';
const QUERIES = '^src/[^/]+/queries/';
const FEATURE_HTTP = '^src/[^/]+/http/';
const EDGE = '^src/http/';
const RUNNER = '^projections/runner/';
const PROCESSES = '^src/processes/';
const PROJECTIONS = '^projections/(client-events/)?[^/]+\\.ts$';
const REACTORS = '^projections/reactors/';
const DIRECTORY = '^src/directory/';
/** Pure: what an organization's facts are, how events change them, who sees what. */
const DIRECTORY_RULES =
  '^src/directory/(directory\\.(records|changes)|changes/[^/]+|channel-sight|organization-for-clients)\\.ts$';
const COMMAND_RUNNER = '^src/command-runner/';
const PROCESS_MANAGERS = '^src/process-managers/';
const CONFIG = '^src/config/';
const OPEN_ENGINES = '^src/config/(open-engines|open-distributed|open-mailer|engines|engine-settings)\\.ts$';
const CLI = '^src/cli/';
const MODULES = '\\.module\\.ts$';
/** They put the parts together, and so may name all of them. */
const ASSEMBLY = '^src/((main|app\\.module|bootstrap)\\.ts$|roles/)';

const LAYERS = [
  { name: 'kernel', from: KERNEL, to: [] },
  { name: 'threads', from: THREADS, to: [] },
  { name: 'sqlite', from: SQLITE, to: [THREADS] },
  { name: 'mongodb', from: MONGODB, to: [] },
  { name: 'event-store', from: EVENT_STORE, to: [] },
  { name: 'document-store', from: DOCUMENT_STORE, to: [] },
  { name: 'content-keys', from: CONTENT_KEYS, to: [] },
  { name: 'file-store', from: FILE_STORE, to: [] },
  { name: 'bus', from: BUS, to: [] },
  { name: 'mail', from: MAIL, to: [] },
  { name: 'adapters', from: ADAPTERS, to: [PORTS, SQLITE, MONGODB, THREADS] },
  {
    name: 'domain',
    from: '^src/([^/]+)/domain/',
    self: '^src/$1/domain/',
    to: [DOMAIN_EVENTS, TOPIC_NAMES, TOKENIZER],
  },
  { name: 'event-codec', from: CODEC, to: [DOMAIN_EVENTS, EVENT_STORE, CONTENT_KEYS] },
  { name: 'chain', from: CHAIN, to: [EVENT_STORE] },
  { name: 'directory', from: DIRECTORY, to: [DOMAIN_EVENTS, CODEC, PORTS, PROJECTIONS, RUNNER] },
  { name: 'projections', from: PROJECTIONS, to: [DOMAIN_EVENTS, DOCUMENT_STORE, DIRECTORY_RULES] },
  { name: 'projection-runner', from: RUNNER, to: [PROJECTIONS, PORTS, CODEC, THREADS, OPEN_ENGINES, PROCESSES] },
  { name: 'reactors', from: REACTORS, to: [DOMAIN_EVENTS, EVENT_STORE, DOCUMENT_STORE, CODEC, MAIL, PROCESSES] },
  { name: 'processes', from: PROCESSES, to: [PORTS] },
  {
    name: 'command-runner',
    from: COMMAND_RUNNER,
    to: [EVENT_STORE, CONTENT_KEYS, CODEC, RUNNER, PROJECTIONS, DIRECTORY, PROCESS_MANAGERS],
  },
  {
    name: 'exactly-once',
    from: EXACTLY_ONCE,
    to: [DOMAIN, COMMAND_RUNNER, EVENT_STORE, CONTENT_KEYS, CODEC, PROJECTIONS, RUNNER],
  },
  {
    name: 'commands',
    from: COMMANDS,
    except: EXACTLY_ONCE,
    to: [DOMAIN, COMMAND_RUNNER, DIRECTORY, QUERIES, PROJECTIONS, RUNNER, BUS, FILE_STORE],
  },
  { name: 'queries', from: QUERIES, to: [DIRECTORY, DOCUMENT_STORE, FILE_STORE, PROJECTIONS, RUNNER, DOMAIN] },
  {
    name: 'process-managers',
    from: PROCESS_MANAGERS,
    to: [DOMAIN, QUERIES, COMMAND_RUNNER, DIRECTORY, PORTS, CODEC, PROJECTIONS, RUNNER, PROCESSES],
  },
  { name: 'edge', from: EDGE, to: [DIRECTORY, PORTS] },
  { name: 'feature-http', from: FEATURE_HTTP, to: [EDGE, COMMANDS, QUERIES, DIRECTORY, DOMAIN, PROJECTIONS] },
  { name: 'health', from: '^src/health/', to: [EDGE, DIRECTORY, RUNNER] },
  { name: 'config', from: CONFIG, to: [PORTS, ADAPTERS, MONGODB] },
  {
    name: 'cli',
    from: CLI,
    to: [CONFIG, ASSEMBLY, PORTS, CODEC, CHAIN, RUNNER, PROCESSES, PROJECTIONS, DOMAIN_EVENTS, THREADS],
  },
];

const OWN_CODE = '^(src|projections)/';
const installed = (name) => `node_modules/${name}/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...LAYERS.map(({ name, from, self = from, to, except }) => ({
      name: `${name}-imports`,
      comment: `${name} may import: itself, the kernel, ${to.join(', ') || 'nothing else'}`,
      severity: 'error',
      from: { path: from, pathNot: except ? [MODULES, except] : MODULES },
      to: { path: OWN_CODE, pathNot: [self, KERNEL, ...to] },
    })),
    {
      name: 'unlayered',
      comment: 'a file that no layer covers: put it where its kind lives, or add a layer to .dependency-cruiser.cjs',
      severity: 'error',
      from: { path: OWN_CODE, pathNot: [...LAYERS.map(({ from }) => from), MODULES, ASSEMBLY] },
      to: {},
    },
    {
      name: 'engines-behind-their-ports',
      comment: 'only modules, main.ts and open-engines.ts name an adapter',
      severity: 'error',
      from: { path: OWN_CODE, pathNot: [ADAPTERS, MODULES, OPEN_ENGINES, '^src/main\\.ts$'] },
      to: { path: ADAPTERS },
    },
    {
      name: 'http-shapes-documents',
      comment: 'http may know what a document looks like; reading one is a query',
      severity: 'error',
      from: { path: FEATURE_HTTP },
      to: { path: '^projections/[^/]+\\.projection\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-driver',
      comment: 'another SQLite binding can take its place in one file',
      severity: 'error',
      from: { pathNot: DRIVER },
      to: { path: installed('libsql') },
    },
    {
      name: 'mongodb-behind-its-adapters',
      comment: 'only the connection and the adapters on it name the driver',
      severity: 'error',
      from: { pathNot: [MONGODB, ADAPTERS] },
      to: { path: installed('mongodb') },
    },
    {
      name: 'pure-domain',
      comment: 'rules are plain functions: collections, hashes and parsers are all that they need',
      severity: 'error',
      from: { path: DOMAIN },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'core'],
        pathNot: [
          installed('(immutable|katex|tlds|gemoji|re2js|@std-uritemplate/std-uritemplate)'),
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'small-kernel',
      severity: 'error',
      from: { path: KERNEL },
      to: { dependencyTypes: ['npm', 'npm-dev'], pathNot: installed('uuid') },
    },
    {
      name: 'pure-projections',
      comment: 'an event and own documents give changes, and nothing else does',
      severity: 'error',
      from: { path: PROJECTIONS },
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
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
