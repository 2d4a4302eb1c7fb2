import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineSettings, Engines, OpenEngineSettings } from '../../platform/engines/engines.js';
import { openEngines } from '../../platform/engines/open-engines.js';
import { LogRefused } from '../../platform/log/event-store.js';
import { OrganizationIdentity } from '../roles/organization-identity.js';
import { connectToServer, isServed } from './control-client.js';

/**
 * Opens engines that hold an organization, and checks that their documents are the log's. @throws StartRefused and the
 * like
 */
export async function openOrganization(settings: OpenEngineSettings): Promise<Engines> {
  const engines = await openEngines({ ...settings, mustExist: true });
  return closedIfRefused(engines, () => new OrganizationIdentity(engines, settings).check());
}

/** Works with the engines of an organization, and closes them in the end. @throws as `openOrganization` does */
export async function inOrganization<T>(
  settings: OpenEngineSettings,
  work: (engines: Engines) => Promise<T>,
): Promise<T> {
  const engines = await openOrganization(settings);
  return work(engines).finally(() => engines.close());
}

/** Closes the engines if the check refuses them. */
export async function closedIfRefused(engines: Engines, check: () => Promise<void>): Promise<Engines> {
  try {
    await check();
    return engines;
  } catch (error) {
    await engines.close();
    throw error;
  }
}

/** Milliseconds between two attempts. */
const AGAIN_MS = 50;

/** Milliseconds for which a command waits for a server that starts. */
const LONGEST_START_MS = 60_000;

/** Milliseconds for which a server waits for a command that has the log. */
const LONGEST_COMMAND_MS = 10_000;

interface Ways<Result> {
  /** Has the server do the work, over its control socket. */
  ask(server: Socket): Promise<Result>;
  /** Does the work in this process. It opens the log before it changes anything. */
  here(): Promise<Result>;
  /** Milliseconds to wait while another process has the log and does not answer; default a minute. */
  readonly longestMs?: number | undefined;
}

/**
 * Works through the server that runs on the data directory, or in this process if none does. A server that starts has
 * the log before it answers commands: then waits for it.
 *
 * @throws LogRefused `locked` if the process that has the log does not answer
 */
export async function throughServer<Result>(
  { distributed, dataDirectory }: EngineSettings,
  { ask, here, longestMs = LONGEST_START_MS }: Ways<Result>,
): Promise<Result> {
  if (distributed) return here();
  return retriedWhileTaken(longestMs, async () => {
    const server = await connectToServer(dataDirectory);
    return server ? ask(server) : here();
  });
}

/** Opens engines for a server. Waits for a command that has the log, not for another server. @throws as `openEngines` does */
export const openUnlessServed = (settings: OpenEngineSettings): Promise<Engines> =>
  retriedWhileTaken(
    LONGEST_COMMAND_MS,
    () => openEngines(settings),
    () => isServed(settings.dataDirectory),
  );

async function retriedWhileTaken<Result>(
  longestMs: number,
  attempt: () => Promise<Result>,
  isFinal: () => Promise<boolean> = async () => false,
): Promise<Result> {
  const end = performance.now() + longestMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isTaken = error instanceof LogRefused && error.reason === 'locked';
      if (!isTaken || performance.now() >= end || (await isFinal())) throw error;
    }
    await sleep(AGAIN_MS);
  }
}
