import { resolve } from 'node:path';
import { isEmail, length } from 'class-validator';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../events/users/users.settings.js';
import { LEAST_MIN_PASSWORD } from '../../features/users/users.settings.js';
import { isEventStoreUrl, isMongodbUrl } from '../../platform/engines/engine-urls.js';
import { ANSWER_WAIT_MS } from '../../platform/kernel/answer-wait.js';
import { areNetworks } from '../../platform/outgoing/reachable-addresses.js';
import { areProxyAddresses, isHost, isSmtpUrl } from '../../platform/settings/addresses.js';
import {
  type CommandName,
  origin,
  setting,
  THAT_ANSWER_CLIENTS,
  THAT_LISTEN,
  text,
  wholeNumber,
} from '../../platform/settings/setting.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The public URL names the log, too. */
const THAT_HAVE_A_SITE: readonly CommandName[] = [...THAT_LISTEN, 'key', 'invite'];
const OF_ONE_ORGANIZATION: readonly CommandName[] = [
  ...THAT_LISTEN,
  ...(['rebuild', 'grant', 'user', 'channel', 'invite', 'why', 'backup', 'restore'] as const),
  ...(['status', 'log', 'audit', 'key', 'prove', 'verify'] as const),
];
const EVERY_COMMAND: readonly CommandName[] = [...OF_ONE_ORGANIZATION, 'copy'];
const THAT_SEND_MAIL: readonly CommandName[] = ['start', 'projections'];

const isOnOneLine = (line: string): boolean => /^\P{Cc}*\P{White_Space}\P{Cc}*$/u.test(line);
const isName = (name: string): boolean => length(name, 1, 100) && isOnOneLine(name);
const isAddress = (address: string): boolean => isEmail(address, { require_tld: false });

function folderIn(path: string): string | undefined {
  const folder = resolve(path);
  return path.trim() !== '' && isOnOneLine(folder) ? folder : undefined;
}

/** Where the metrics of the process are read. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(?<host>[\w.-]+|\[[\da-fA-F:.]+\]):(?<port>\d{1,5})$/;

function metricsAddressIn(address: string): MetricsAddress | undefined {
  const { host = '', port = '' } = ADDRESS.exec(address)?.groups ?? {};
  if (host === '' || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

export const serverRows = {
  /** Absolute path. */
  dataDirectory: setting({
    environment: 'ANNALS_DATA_DIR',
    takes: 'folder',
    about: 'folder of the log, the keys, the documents, uploaded files and owner.zuliprc',
    allowed: 'the path of a folder',
    default: './data',
    commands: OF_ONE_ORGANIZATION,
    read: folderIn,
  }),
  host: text({
    environment: 'ANNALS_HOST',
    takes: 'address',
    about: 'address to listen on, or a name: all its addresses; 0.0.0.0 for every network of this machine',
    allowed: 'an IP address or a host name',
    default: '127.0.0.1',
    commands: THAT_HAVE_A_SITE,
    isValid: isHost,
  }),
  port: wholeNumber({
    environment: 'ANNALS_PORT',
    about: 'port to listen on; 0 takes a free one and prints it',
    range: [0, 65_535],
    default: 9991,
    commands: THAT_HAVE_A_SITE,
  }),
  /** URL without a trailing slash; null: `siteUrl` makes it from host and port. */
  site: origin({
    environment: 'ANNALS_SITE',
    about: 'public URL, under which clients reach this server; without it, http://HOST:PORT',
    allowed: 'an http:// or https:// URL without a path, such as https://chat.example.org',
    default: null,
    commands: THAT_HAVE_A_SITE,
  }),
  /** null: no proxy may name the client of a request. */
  trustedProxies: text({
    environment: 'ANNALS_TRUSTED_PROXIES',
    takes: 'addresses',
    about:
      'addresses of reverse proxies whose X-Forwarded-For is trusted, so that limits count for each client and not for the proxy; without it, none is trusted',
    allowed: 'IP addresses, or networks such as 10.0.0.0/8, loopback and uniquelocal, separated by commas',
    default: null,
    commands: THAT_ANSWER_CLIENTS,
    isValid: areProxyAddresses,
  }),
  organization: text({
    environment: 'ANNALS_ORGANIZATION',
    takes: 'name',
    about: 'name of the organization that the first start creates',
    allowed: 'a name of 1 to 100 characters on one line',
    default: 'Annals',
    commands: THAT_ANSWER_CLIENTS,
    isValid: isName,
  }),
  ownerEmail: text({
    environment: 'ANNALS_OWNER_EMAIL',
    takes: 'address',
    about: 'email of the owner that the first start creates',
    allowed: 'an email address',
    default: 'owner@example.com',
    commands: THAT_ANSWER_CLIENTS,
    isValid: isAddress,
  }),
  ownerName: text({
    environment: 'ANNALS_OWNER_NAME',
    takes: 'name',
    about: "that owner's full name",
    allowed: 'a name of 1 to 100 characters on one line',
    default: 'Owner',
    commands: THAT_ANSWER_CLIENTS,
    isValid: isName,
  }),
  ownerPassword: text({
    environment: 'ANNALS_OWNER_PASSWORD',
    takes: 'password',
    about: "that owner's password; without it, a random one is shown on a terminal, or written to owner.password",
    allowed: `${MIN_PASSWORD} to ${MAX_PASSWORD} characters long`,
    default: null,
    commands: THAT_ANSWER_CLIENTS,
    secret: true,
    isValid: (password) => length(password, LEAST_MIN_PASSWORD, MAX_PASSWORD),
  }),
  logLevel: setting({
    environment: 'ANNALS_LOG_LEVEL',
    takes: 'level',
    about: `lowest level that is written to standard error: ${LOG_LEVELS.join(', ')}`,
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    commands: THAT_LISTEN,
    read: (level) => LOG_LEVELS.find((known) => known === level),
  }),
  rateLimit: wholeNumber({
    environment: 'ANNALS_RATE_LIMIT',
    about: 'number of requests a minute that one user may make; 0 for no limit',
    range: [0, 1_000_000],
    default: 0,
    commands: THAT_ANSWER_CLIENTS,
  }),
  waitingCommands: wholeNumber({
    environment: 'ANNALS_WAITING_COMMANDS',
    about:
      'number of sends and other changes that may wait for their turn in one process; others are answered 503 at once',
    range: [0, 1_000_000],
    default: 8192,
    commands: THAT_ANSWER_CLIENTS,
  }),
};

export const engineRows = {
  /** Set together with `mongodbUrl`; both null: embedded. */
  eventStoreUrl: text({
    environment: 'EVENTSTORE_URL',
    takes: 'url',
    about: 'EventStoreDB of the log, together with --mongodb-url; without both, all data are in the data directory',
    allowed: 'an esdb:// or esdb+discover:// URL, such as esdb://localhost:2113?tls=false',
    default: null,
    commands: EVERY_COMMAND,
    secret: true,
    isValid: isEventStoreUrl,
  }),
  mongodbUrl: text({
    environment: 'MONGODB_URL',
    takes: 'url',
    about:
      'MongoDB of documents and keys, together with --eventstore-url: a replica set, of one member or more; the URL names the database',
    allowed: 'a mongodb:// or mongodb+srv:// URL, such as mongodb://localhost:27017/annals?replicaSet=rs0',
    default: null,
    commands: EVERY_COMMAND,
    secret: true,
    isValid: isMongodbUrl,
  }),
  streamPrefix: text({
    environment: 'ANNALS_STREAM_PREFIX',
    takes: 'text',
    about: 'prefix of stream names in EventStoreDB, so that organizations can share it',
    allowed: 'at most 64 letters, digits, dots, hyphens and underscores',
    default: '',
    commands: EVERY_COMMAND,
    isValid: (prefix) => /^[A-Za-z0-9._-]{0,64}$/.test(prefix),
  }),
};

export const metricsRows = {
  /** null: nowhere. */
  metrics: setting({
    environment: 'ANNALS_METRICS',
    takes: 'address',
    about:
      'address at which Prometheus reads the metrics of this process, without credentials: keep it from the public; without it, there are none',
    allowed: 'an address and a port, such as 127.0.0.1:9464',
    default: null,
    commands: THAT_LISTEN,
    read: metricsAddressIn,
  }),
};

export const answerRows = {
  answerWaitMs: wholeNumber({
    environment: 'ANNALS_ANSWER_WAIT_MS',
    about:
      'longest time that the answer to a change waits until everybody can read it, and that an answer with proofs waits for them, in milliseconds',
    range: [0, 60_000],
    default: ANSWER_WAIT_MS,
    commands: THAT_ANSWER_CLIENTS,
  }),
  answerKib: wholeNumber({
    environment: 'ANNALS_ANSWER_KIB',
    about: 'size at which a page of messages or events ends, in KiB of JSON; clients ask for the rest',
    range: [1, 65_536],
    default: 8192,
    commands: THAT_ANSWER_CLIENTS,
  }),
};

export const outgoingRows = {
  /** null: none. */
  outgoingPrivateNetworks: text({
    environment: 'ANNALS_OUTGOING_PRIVATE_NETWORKS',
    takes: 'networks',
    about:
      'networks that are not public, to which requests for users may go, such as calls to outgoing webhook bots; without it, only public addresses',
    allowed: 'IP addresses, or networks such as 10.0.0.0/8, separated by commas',
    default: null,
    commands: THAT_LISTEN,
    isValid: areNetworks,
  }),
};

export const mailRows = {
  /** null: mails are written to files. */
  smtpUrl: text({
    environment: 'ANNALS_SMTP_URL',
    takes: 'url',
    about: "mail server that sends mails; without it, they are written to the data directory's folder outbox",
    allowed: 'an smtp:// or smtps:// URL, such as smtp://user:password@mail.example.org:587',
    default: null,
    commands: THAT_SEND_MAIL,
    secret: true,
    isValid: isSmtpUrl,
  }),
  /** null: `noreply@` the site's domain. */
  mailFrom: text({
    environment: 'ANNALS_MAIL_FROM',
    takes: 'address',
    about: "address that mails come from; without it, noreply@ the site's domain",
    allowed: 'a mail address, such as noreply@example.org',
    default: null,
    commands: THAT_SEND_MAIL,
    isValid: isAddress,
  }),
};
