import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAnnals } from '../servers/annals.js';
import { type Organization, USERS } from './organization.js';
import { seedLog } from './seed.js';

interface Prepared {
  readonly dataDirectory: string;
  readonly organizationEvents: number;
  /** Null where the data came from an earlier run. */
  readonly firstBuildSeconds: number | null;
}

/** Makes a data directory with so many messages in its log, and builds everything from them. */
export async function prepareData({
  organization,
  messages,
  directory,
  keep,
  say,
}: {
  readonly organization: Organization;
  readonly messages: number;
  /** The data directory to be made. */
  readonly directory: string;
  /** A folder that data directories are taken from, and kept in for later runs. */
  readonly keep: string | null;
  readonly say: (line: string) => void;
}): Promise<Prepared> {
  const kept = keep === null ? null : join(keep, `${messages}-messages-${organization.users}-users`);
  const facts = kept === null ? null : join(kept, 'bench.json');
  if (kept !== null && facts !== null && existsSync(facts)) {
    say(`copying ${kept}`);
    await cp(kept, directory, { recursive: true });
    const { organizationEvents } = JSON.parse(await readFile(facts, 'utf8'));
    return { dataDirectory: directory, organizationEvents, firstBuildSeconds: null };
  }

  await mkdir(directory, { recursive: true });
  let toldAt = performance.now();
  const { events, seconds } = await seedLog({
    engines: { dataDirectory: directory },
    organization,
    messages,
    onProgress: (done) => {
      if (performance.now() - toldAt < 5000) return;
      toldAt = performance.now();
      say(`writing the log: ${done.toLocaleString('en-US')} of ${messages.toLocaleString('en-US')} messages`);
    },
  });
  say(`wrote ${events.toLocaleString('en-US')} events in ${seconds.toFixed(1)} s; first start, everything is built`);
  const reader = organization.account(USERS.readerOfAll);
  const first = await startAnnals({ dataDirectory: directory, reader, profileDirectory: null });
  await first.child.stop();
  say(`built in ${first.readySeconds.toFixed(1)} s`);
  const organizationEvents = events - messages;
  if (kept !== null && facts !== null) {
    await cp(directory, kept, { recursive: true });
    await writeFile(facts, JSON.stringify({ organizationEvents }));
  }
  return { dataDirectory: directory, organizationEvents, firstBuildSeconds: first.readySeconds };
}

/** Adds up the sizes of all files in a directory, in MiB. */
export async function diskMiB(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes / 2 ** 20;
}
