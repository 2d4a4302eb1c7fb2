import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { START } from '../../platform/kernel/position.js';
import { givenUpCheckpoints } from '../../platform/transparency/given-up.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import { TILE_WIDTH } from '../../platform/transparency/tile-paths.js';
import { TREE_DATABASE } from '../../platform/transparency/tree.documents.js';
import { acceptedKeys, acceptedKeysText, signerChanges, signersText } from '../verify/accepted-keys.js';
import type { Chunk } from '../verify/chunk.js';
import { ChunkThreads } from '../verify/chunk-threads.js';
import { judgeBehind, reachedHead } from '../verify/events-behind.js';
import { type CheckpointPlaces, knownCheckpoints } from '../verify/known-checkpoints.js';
import { NotRight, VerifiedLog } from '../verify/verified-log.js';
import { verifyDocuments } from '../verify/verify-documents.js';
import { verifyFiles } from '../verify/verify-files.js';
import { type ReportOutput, WorkReport } from './build-report.js';
import { inOrganization } from './open-organization.js';
import { stopAsked } from './stop-signals.js';
import { number } from './text.js';

/** Options as typed. */
export interface VerifyOptions extends Omit<CheckpointPlaces, 'keys'> {
  readonly state?: string;
  /** Whether the bytes of files are compared with what the log records of them. */
  readonly files?: true;
  /** Whether the documents are compared with a rebuild. */
  readonly documents?: true;
  /** Folder for the documents of a rebuild. */
  readonly temporary: string;
  /** Whether content is opened with its key. */
  readonly open?: true;
}

/** Few enough for young memory to hold the texts of a part: with more, a tenth of the time goes into moving them. */
const CHUNK = 8 * TILE_WIDTH;
const MOST_THREADS = 4;
/** Milliseconds between two reports of how far it is. */
const KEEP_EVERY_MS = 10_000;

/** @throws NotRight naming the first difference */
export async function runVerify(
  settings: EngineSettings,
  options: VerifyOptions,
  output: Writable & ReportOutput,
): Promise<void> {
  const over = new AbortController();
  const work = { settings, opensContent: options.open ?? false };
  const threads = new ChunkThreads(Math.min(availableParallelism(), MOST_THREADS), work);
  try {
    await inOrganization({ ...settings, readOnly: true }, async (engines) => {
      if (!(await engines.documentStore.databases()).includes(TREE_DATABASE)) throw noTree();
      await verifyAll({ threads, output, stop: stopped(over.signal) }, engines, options);
    });
  } finally {
    await threads.close();
    over.abort();
  }
}

async function verifyAll(work: Omit<Work, 'tree'>, engines: Engines, options: VerifyOptions): Promise<void> {
  await PublishedTree.within(engines.documentStore, async (tree) => {
    const { size, behind } = await verifyLog({ ...work, tree }, engines, options);
    const { temporary } = options;
    const { output, stop } = work;
    if (options.files) await verifyFiles(engines, { output, goOn: () => goOn(stop, 'files') });
    if (options.documents)
      await verifyDocuments(engines, { size, temporary, output, goOn: () => goOn(stop, 'documents') });
    if (behind !== null) throw new NotRight(behind);
  });
}

interface Work {
  readonly tree: PublishedTree;
  readonly threads: ChunkThreads;
  readonly output: Writable & ReportOutput;
  readonly stop: Stop;
}

/** @returns the number of events in the tree, and a sentence about those behind it; null: there are none */
async function verifyLog(
  { tree, threads, output, stop }: Work,
  { eventStore, documentStore, contentKeys }: Pick<Engines, 'eventStore' | 'documentStore' | 'contentKeys'>,
  options: VerifyOptions,
): Promise<{ readonly size: number; readonly behind: string | null }> {
  const reached = await reachedHead(tree, eventStore, { goOn: () => goOn(stop, 'log') });
  if (reached === null) throw noTree();
  const { head } = reached;
  const changes = await signerChanges(eventStore, TRANSPARENCY_STREAM);
  const noted = await knownCheckpoints(head, documentStore, {
    ...options,
    keys: changes.flatMap(({ from, to }) => [from, to]),
  });
  const state = new StateFile(options.state ?? null);
  const log = await state.read();
  const report = new WorkReport(output);
  const [startedAt, before] = [performance.now(), log.events];
  let keptAt = startedAt;
  const accepted = await acceptedKeys(eventStore);
  let [givenUp, keysGivenUp] = [0, 0];
  let behind: string | null;
  const speed = (): number => ((log.events - before) * 1000) / (performance.now() - startedAt);
  try {
    await threads.compare(chunksOf(log.events, head.size), async (found, { to }) => {
      log.add(found, to);
      const secondsLeft = (head.size - to) / speed();
      report.update({ what: 'Verifying', done: to, total: head.size, eventsPerSecond: speed(), secondsLeft });
      if (stop.asked || performance.now() - keptAt > KEEP_EVERY_MS) {
        await state.write(log);
        keptAt = performance.now();
      }
      if (stop.asked) throw new Error(`stopped after ${number(to)} of ${number(head.size)} events`);
    });
    if (accepted) keysGivenUp = await log.giveUpKeys(accepted.position, head, { eventStore });
    givenUp = await log.end(
      head,
      { tree, eventStore, contentKeys },
      noted,
      await givenUpCheckpoints(eventStore, TRANSPARENCY_STREAM),
    );
    behind = await judgeBehind(reached, log, { eventStore, contentKeys, givenUpBefore: accepted?.position ?? START });
  } finally {
    report.end();
  }
  await state.remove();
  output.write(
    `The log is right${behind === null ? '' : ' as far as its tree goes'}: ${number(head.size)} events, root ${head.root}, ${noted.length} checkpoints${ofThem(givenUp)}; ${number(Math.round(speed()))} events a second.\n`,
  );
  output.write(acceptedKeysText(keysGivenUp, accepted));
  output.write(signersText(changes, head.verifier ?? ''));
  return { size: head.size, behind };
}

function* chunksOf(from: number, size: number): Generator<Chunk> {
  for (let at = from; at < size; at += CHUNK) yield { from: at, to: Math.min(at + CHUNK, size) };
}

interface Stop {
  readonly asked: boolean;
}

async function goOn(stop: Stop, compared: 'log' | 'files' | 'documents'): Promise<void> {
  // The embedded engines leave the event loop no turn, and a signal is heard only then.
  await setImmediate();
  if (stop.asked) throw new Error(`stopped while the ${compared} ${compared === 'log' ? 'was' : 'were'} compared`);
}

function stopped(over: AbortSignal): Stop {
  const stop = { asked: false };
  void stopAsked(over).then(() => {
    stop.asked = true;
  });
  return stop;
}

/** How far the work is, in a file that the same command finds again. */
class StateFile {
  /** @param path null: nothing is kept */
  constructor(private readonly path: string | null) {}

  async read(): Promise<VerifiedLog> {
    if (this.path === null || !existsSync(this.path)) return new VerifiedLog();
    return VerifiedLog.from(JSON.parse(await readFile(this.path, 'utf8')));
  }

  async write(log: VerifiedLog): Promise<void> {
    if (this.path === null) return;
    await writeFile(`${this.path}.new`, JSON.stringify(log.state), { mode: 0o600, flush: true });
    await rename(`${this.path}.new`, this.path);
  }

  async remove(): Promise<void> {
    if (this.path !== null) await rm(this.path, { force: true });
  }
}

const noTree = (): Error => new Error('there is no tree of the log yet: a server makes it');

const ofThem = (givenUp: number): string =>
  givenUp === 0 ? '' : `, of which the log gave up ${givenUp} (RestoredLogAccepted)`;
