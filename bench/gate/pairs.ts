import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Organization } from '../data/organization.js';
import { after, closedLoop, type LoadResult } from '../driver/load.js';
import { plainSends } from '../measurements/requests.js';
import { becomesReady, spawnAnnals } from '../servers/annals.js';
import type { Child } from '../servers/child.js';
import type { Build } from './release.js';

/** Starts of both builds: what V8 makes of the same code differs between two processes, and stays for minutes. */
const STARTS = 5;
/** Pairs of rounds at each level after a start, and seconds of a round: a minute for two builds at two levels. */
const PAIRS = 3;
const SECONDS = 1;
const WARM_UP_SECONDS = 2;
const MESSAGES = 5000;
/** The measured organization. */
export const SIZE = { users: 1201, channels: 100 };
/** A server has settled when it uses less than a fifth of a processor; it may take five seconds. */
const WATCH_MS = 100;
const IDLE_SECONDS = 0.02;
const MOST_WATCHES = 50;

export type Round = LoadResult & {
  /** Milliseconds of processor time of a send, with what was done after the answer. */
  readonly cpuEach: number;
};

export interface Pair {
  readonly own: Round;
  readonly release: Round;
}

export interface Servers {
  readonly own: Child;
  readonly release: Child;
}

/**
 * Starts both builds several times, each on a copy of a log that the release has written: both can read it. They are stopped
 * before the next start.
 */
export async function* startsOfBoth(
  own: Build,
  release: Build,
  directory: string,
  say: (line: string) => void,
): AsyncGenerator<Servers> {
  const seeding: typeof import('../data/seed.js') = await import(
    pathToFileURL(join(release.folder, 'dist/bench/data/seed.js')).href
  );
  const seeded: typeof import('../data/organization.js') = await import(
    pathToFileURL(join(release.folder, 'dist/bench/data/organization.js')).href
  );
  const [ofRelease, ofOwn] = [join(directory, 'release'), join(directory, 'own')];
  const organization = new seeded.Organization(SIZE);
  await seeding.seedLog({
    engines: { dataDirectory: ofRelease },
    organization,
    messages: MESSAGES,
    onProgress: () => {},
  });
  await cp(ofRelease, ofOwn, { recursive: true });
  for (let begun = 1; begun <= STARTS; begun++) {
    say(`start ${begun} of ${STARTS}`);
    const servers = { own: await started(own, ofOwn), release: await started(release, ofRelease) };
    yield servers;
    await servers.own.stop();
    await servers.release.stop();
  }
}

async function started({ folder, flags }: Build, dataDirectory: string): Promise<Child> {
  const program = join(folder, 'bin/annals.js');
  const child = await spawnAnnals({ command: 'start', program, flags, dataDirectory, profileDirectory: null });
  await becomesReady(child, 300);
  return child;
}

/** Measures sends of both builds in turns. */
export async function measurePairs({ own, release }: Servers, concurrency: number): Promise<Pair[]> {
  const request = plainSends(new Organization(SIZE));
  const round = async (child: Child, seconds: number): Promise<Round> => {
    const before = child.cpuSeconds() ?? Number.NaN;
    const load = await closedLoop({ port: child.port, request, concurrency, isOver: after(seconds) });
    await settled(child);
    return { ...load, cpuEach: (1000 * ((child.cpuSeconds() ?? Number.NaN) - before)) / load.answers };
  };
  for (const child of [own, release]) await round(child, WARM_UP_SECONDS);
  const pairs: Pair[] = [];
  for (let n = 0; n < PAIRS; n++) {
    // Whoever comes first changes: a disk or a processor may get slower meanwhile.
    if (n % 2 === 0) pairs.push({ own: await round(own, SECONDS), release: await round(release, SECONDS) });
    else {
      const releaseRound = await round(release, SECONDS);
      pairs.push({ own: await round(own, SECONDS), release: releaseRound });
    }
  }
  return pairs;
}

/** Waits until a server has done what it does after its answers: the other's round is not to pay for it. */
async function settled(child: Child): Promise<void> {
  for (let n = 0; n < MOST_WATCHES; n++) {
    const before = child.cpuSeconds();
    await pause(WATCH_MS);
    const used = (child.cpuSeconds() ?? 0) - (before ?? 0);
    if (used <= IDLE_SECONDS) return;
  }
}
