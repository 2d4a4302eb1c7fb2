import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../../kernel/awake-time.js';
import { peerAt } from '../../kernel/peer.js';
import { StartRefused } from '../../kernel/start-refused.js';
import { classifyAppendFailure, describe, isAccessDenied } from './classify-errors.js';
import { SharedLog } from './shared-log.js';
import type { Timings } from './timings.js';

const OLDEST = [23, 10] as const;
const TRY_EVERY = 250;

interface OpenLogOptions {
  readonly url: string;
  readonly streamPrefix: string;
  readonly readOnly: boolean;
}

/**
 * Opens the log. Checks that the server answers, is new enough, and permits reads of `$all` and, unless `readOnly`,
 * appends. Starts the tail.
 *
 * @throws StartRefused
 */
export async function openLog(
  { url, streamPrefix, readOnly }: OpenLogOptions,
  timings: Timings,
): Promise<{ readonly log: SharedLog; readonly version: string }> {
  const log = acquire(url, streamPrefix, timings);
  try {
    const version = await firstAnswer(log, url, readOnly);
    if (!isNewEnough(version)) {
      const told = version === undefined ? 'tells no version' : `is ${version}`;
      throw new StartRefused(
        `EventStoreDB at ${hidePassword(url)} ${told}; ${OLDEST.join('.')} or later is needed: upgrade it`,
      );
    }
    return { log, version };
  } catch (error) {
    await log.release();
    throw error;
  }
}

function acquire(url: string, streamPrefix: string, timings: Timings): SharedLog {
  try {
    return SharedLog.acquire(url, streamPrefix, timings);
  } catch (error) {
    if (/file/i.test(describe(error))) {
      throw new StartRefused(`EVENTSTORE_URL names a certificate that cannot be used: ${describe(error)}`);
    }
    throw new StartRefused(
      `EVENTSTORE_URL is not like esdb://host:2113?tls=true or esdb+discover://host: ${hidePassword(url)}`,
    );
  }
}

async function firstAnswer(log: SharedLog, url: string, readOnly: boolean): Promise<string | undefined> {
  const until = performance.now() + log.timings.open;
  for (;;) {
    const left = Math.max(1, until - performance.now());
    const { link } = log.connection;
    try {
      // The client's own deadline holds only once there is a connection.
      const late = () => new Error('it gives no answer');
      const patience = Math.min(left, log.timings.call);
      const version = await withTimeout(link.client.serverVersion(patience), patience, late);
      if (!isNewEnough(version)) return version;
      await log.start();
      if (!readOnly) await requireAppends(log, url);
      return version;
    } catch (error) {
      if (error instanceof StartRefused) throw error;
      const cause = error instanceof Error && error.cause ? error.cause : error;
      if (isAccessDenied(cause)) {
        throw new StartRefused(
          `EventStoreDB at ${hidePassword(url)} does not let this user read $all: correct the credentials in EVENTSTORE_URL, or grant it in the ACL`,
        );
      }
      if (performance.now() + TRY_EVERY >= until) throw await nobodyThere(url, cause);
      log.connection.replace(link, 0);
      await pause(TRY_EVERY);
    }
  }
}

/**
 * Checks the permission to append, by an append that cannot succeed: it expects a revision that no stream has. The server
 * checks permissions first.
 *
 * @throws StartRefused, or the error of a missing answer
 */
async function requireAppends({ connection, streamPrefix, timings }: SharedLog, url: string): Promise<void> {
  const event = { id: randomUUID(), type: 'Asked', version: 1, data: '{}', metadata: '{}' };
  try {
    await connection.link.appends.send(streamPrefix, 'asked', [event], Number.MAX_SAFE_INTEGER, timings.call);
  } catch (error) {
    if (isAccessDenied(error)) {
      throw new StartRefused(
        `EventStoreDB at ${hidePassword(url)} does not let this user append: correct the credentials in EVENTSTORE_URL, or grant it in the ACL`,
      );
    }
    // The expected answer: the stream has no such revision.
    if (classifyAppendFailure(error).kind !== 'conflict') throw error;
  }
}

async function nobodyThere(url: string, cause: unknown): Promise<StartRefused> {
  const peer = await peerAt(firstHostOf(url));
  const shown = hidePassword(url);
  const wantsTls = !/[?&]tls=false/i.test(url);
  if (wantsTls && peer === 'plain') {
    return new StartRefused(`EventStoreDB at ${shown} speaks no TLS: add tls=false to EVENTSTORE_URL, or give it TLS`);
  }
  if (!wantsTls && peer === 'tls') {
    return new StartRefused(`EventStoreDB at ${shown} speaks TLS: take tls=false out of EVENTSTORE_URL`);
  }
  const why = inBrief(cause);
  if (wantsTls && /altname/i.test(why)) {
    return new StartRefused(
      `EventStoreDB at ${shown} has a certificate for another name: name the host in EVENTSTORE_URL as the certificate does (${why})`,
    );
  }
  if (wantsTls && peer === 'tls') {
    return new StartRefused(
      `EventStoreDB at ${shown} is not reached over TLS: ${why}; if its certificate is of your own making, name its authority with tlsCAFile in EVENTSTORE_URL`,
    );
  }
  return new StartRefused(`no EventStoreDB at ${shown}: ${why}; start it, or correct EVENTSTORE_URL`);
}

function firstHostOf(url: string): { host: string; port: number } {
  const [, host = 'localhost', port] = /^[^:]+:\/\/(?:[^@]*@)?([^:,/?]+)(?::(\d+))?/.exec(url) ?? [];
  return { host, port: Number(port ?? 2113) };
}

/** Shortens gRPC's message to what happened to the connection. */
function inBrief(cause: unknown): string {
  return describe(cause)
    .replace(/^\d+ [A-Z_]+: /, '')
    .replace(/^No connection established\. Last error: (?:Error: )?/, '')
    .replace(/ \(\d{4}-[^)]*Z\)/, '')
    .replace(/(?:\. ?)?Resolution note: ?$/, '')
    .replace(/\.$/, '');
}

function isNewEnough(version: string | undefined): version is string {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}

const hidePassword = (url: string): string => url.replace(/\/\/[^@/]*@/, '//…@');
