import { MongoCompatibilityError, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { peerAt } from '../kernel/peer.js';
import { StartRefused } from '../kernel/start-refused.js';
import { NoAnswer } from './mongo-failure.js';
import { withoutPassword } from './mongo-url.js';

/** Says in one line, without the password, why MongoDB cannot be used and what to change. */
export async function refusalOf(error: unknown, url: string): Promise<StartRefused> {
  return error instanceof StartRefused ? error : new StartRefused(await reason(error, url), { cause: error });
}

async function reason(error: unknown, url: string): Promise<string> {
  const where = `MongoDB at ${hosts(url)}`;
  const causes = chain(error);
  const said = causes.map((cause) => cause.message).join(' ');
  const denied = causes.find(
    (cause) => cause instanceof MongoServerError && [13, 18, 8000].includes(Number(cause.code)),
  );
  if (denied && !hasUser(url)) {
    return `${where} wants to know who asks: put user:password@ before the host in MONGODB_URL.`;
  }
  if (denied && Number((denied as MongoServerError).code) === 13) {
    return `${where} denies access (${brief(denied)}): grant the user of MONGODB_URL the role readWrite on its database.`;
  }
  if (denied) {
    return `${where} refuses the user or password of MONGODB_URL: correct them, or name their database with authSource.`;
  }
  if (causes.some((cause) => cause instanceof MongoCompatibilityError) || /maximum wire version/.test(said)) {
    return `${where} is too old: MongoDB 4.4 or newer is needed.`;
  }
  if (/altname/i.test(said)) {
    return `${where} has a certificate for another name: name the host in MONGODB_URL as the certificate does (${brief(causes.at(-1))}).`;
  }
  if (/certificate|self.signed/i.test(said)) {
    return `the TLS certificate of ${where} is not trusted (${brief(causes.at(-1))}): name its authority with tlsCAFile in MONGODB_URL.`;
  }
  const selection = causes.find((cause) => cause instanceof MongoServerSelectionError);
  const misled = selection && misledBySet(selection, where, url);
  if (misled) return misled;
  if (causes.some((cause) => CONNECTION_FAILURES.some((kind) => cause instanceof kind))) {
    return `${await noConnection(where, url, said)} (${brief(causes.at(-1))}).`;
  }
  return `MONGODB_URL cannot be used: ${brief(causes[0])}`;
}

const CONNECTION_FAILURES = [MongoServerSelectionError, MongoNetworkError, NoAnswer];

/** For a server that answers and names members of its replica set that cannot be reached. */
function misledBySet(error: MongoServerSelectionError, where: string, url: string): string | null {
  const found = [...(error.reason?.servers.values() ?? [])];
  if (/[?&]replicaSet=/i.test(url) && found.length === 0) {
    return `${where} is no member of the replica set that MONGODB_URL names: correct replicaSet.`;
  }
  if (found.some(({ type }) => type.startsWith('RS'))) {
    return `${where} has no primary: initiate its replica set (rs.initiate() in mongosh), or bring up a majority of its members.`;
  }
  const named = hosts(url).toLowerCase().split(',');
  const members = found.map(({ address }) => address);
  const isNamed = (member: string): boolean => named.some((host) => member === host || member === `${host}:27017`);
  if (url.startsWith('mongodb+srv:') || members.length === 0 || members.some(isNamed)) return null;
  return `${where} is a replica set of ${members.join(', ')}, where nobody answers from here: make these names known here, or add directConnection=true to MONGODB_URL.`;
}

async function noConnection(where: string, url: string, said: string): Promise<string> {
  const [first = ''] = hosts(url).split(',');
  const [host = '', port = '27017'] = first.split(/:(?=\d+$)/);
  // The hosts of `mongodb+srv` are known to DNS alone.
  const peer = url.startsWith('mongodb+srv:')
    ? null
    : await peerAt({ host: host.replaceAll(/[[\]]/g, ''), port: Number(port) });
  if (usesTls(url) && peer === 'plain') {
    return `${where} does not speak TLS, and MONGODB_URL asks for it: remove tls=true, or turn TLS on at the server`;
  }
  if (usesTls(url) && peer === 'silent') {
    return `${where} gives no answer over TLS: remove tls=true from MONGODB_URL if it has none, or start it`;
  }
  if (!usesTls(url) && peer === 'tls') return `${where} speaks TLS: add tls=true to MONGODB_URL`;
  if (/closed|ECONNRESET|hang up/i.test(said)) {
    return `${where} closes every connection, as another program would: correct host and port in MONGODB_URL`;
  }
  return `${where} does not answer: start it, or correct MONGODB_URL`;
}

function hosts(url: string): string {
  return withoutPassword(url)
    .replace(/^mongodb(\+srv)?:\/\//, '')
    .replace(/[/?].*$/, '');
}

/** The URL names a user, or another way to authenticate. */
const hasUser = (url: string): boolean => /^[^/]+\/\/[^/]*@/.test(url) || /[?&]authMechanism=/i.test(url);

function usesTls(url: string): boolean {
  if (/[?&](tls|ssl)=true/i.test(url)) return true;
  return url.startsWith('mongodb+srv:') && !/[?&](tls|ssl)=false/i.test(url);
}

/** The error, its causes, and the errors of each server that was tried. */
function chain(error: unknown): Error[] {
  const found: Error[] = [];
  const add = (candidate: unknown): void => {
    if (!(candidate instanceof Error) || found.includes(candidate)) return;
    found.push(candidate);
    if (candidate instanceof MongoServerSelectionError) {
      for (const server of candidate.reason?.servers.values() ?? []) add(server.error);
    }
    add(candidate.cause);
  };
  add(error);
  return found;
}

function brief(error: Error | undefined): string {
  return withoutPassword(error?.message ?? 'no reason given').replaceAll(/\s+/g, ' ');
}
