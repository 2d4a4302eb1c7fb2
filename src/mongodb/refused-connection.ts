import { MongoCompatibilityError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { StartRefused } from '../kernel/start-refused.js';
import { withoutPassword } from './mongo-url.js';

/** Why MongoDB cannot be used, and what to change, in one line without the password. */
export function refusalOf(error: unknown, url: string): StartRefused {
  return error instanceof StartRefused ? error : new StartRefused(reason(error, url), { cause: error });
}

function reason(error: unknown, url: string): string {
  const where = `MongoDB at ${hosts(url)}`;
  const causes = chain(error);
  const said = causes.map((cause) => cause.message).join(' ');
  const denied = causes.find(
    (cause) => cause instanceof MongoServerError && [13, 18, 8000].includes(Number(cause.code)),
  );
  if (denied && Number((denied as MongoServerError).code) === 13) {
    return `${where} denies access (${brief(denied)}): grant the user of MONGODB_URL the role readWrite on its database.`;
  }
  if (denied) {
    return `${where} refuses the user or password of MONGODB_URL: correct them, or name their database with authSource.`;
  }
  if (causes.some((cause) => cause instanceof MongoCompatibilityError) || /maximum wire version/.test(said)) {
    return `${where} is too old: MongoDB 4.4 or newer is needed.`;
  }
  if (/certificate|altname|self.signed/i.test(said)) {
    return `the TLS certificate of ${where} is not trusted (${brief(causes.at(-1))}): name its authority with tlsCAFile in MONGODB_URL.`;
  }
  if (/wrong version number|SSL|TLS|secure/i.test(said) && usesTls(url)) {
    return `${where} does not speak TLS, and MONGODB_URL asks for it: remove tls=true, or turn TLS on at the server.`;
  }
  if (/closed|ECONNRESET|hang up/i.test(said) && !usesTls(url)) {
    return `${where} closes every connection: if it wants TLS, add tls=true to MONGODB_URL.`;
  }
  if (causes.some((cause) => cause instanceof MongoServerSelectionError)) {
    return `${where} does not answer (${brief(causes.at(-1))}): start it, or correct MONGODB_URL.`;
  }
  return `MONGODB_URL cannot be used: ${brief(causes[0])}`;
}

function hosts(url: string): string {
  return withoutPassword(url)
    .replace(/^mongodb(\+srv)?:\/\//, '')
    .replace(/[/?].*$/, '');
}

function usesTls(url: string): boolean {
  if (/[?&](tls|ssl)=true/i.test(url)) return true;
  return url.startsWith('mongodb+srv:') && !/[?&](tls|ssl)=false/i.test(url);
}

/** The error, what caused it, and what each server that was tried said. */
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
