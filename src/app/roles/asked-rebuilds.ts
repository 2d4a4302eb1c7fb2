import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { announcementIn, PROJECTIONS_TOPIC } from '../../../projections/runner/announcement.js';
import type { ProjectionRecord } from '../../../projections/runner/projection-record.js';
import { type BuildProgress, RebuildInProgress } from '../../../projections/runner/rebuild-protocol.js';
import { Registry } from '../../../projections/runner/registry.js';
import type { Bus } from '../../platform/bus/bus.js';
import {
  PROCESSES_DATABASE,
  type ProcessDocument,
  processCollections,
} from '../../platform/cluster/process.documents.js';
import type { DocumentDatabase, DocumentStore } from '../../platform/documents/document-store.js';
import { awakeNow } from '../../platform/kernel/awake-time.js';
import { Deferred } from '../../platform/kernel/deferred.js';
import { RebuildNotBegun, type Rebuilds } from '../../platform/read-models/rebuilds.js';
import type { ReadSide } from './read-side.js';

/** Rebuilds that people ask this process for, which do not wait for the end. */
export class AskedRebuilds implements Rebuilds {
  private readonly log = new Logger('Projections');
  /** Rebuilds that have not ended. Rebuilds of other processes are known a little later. */
  private readonly asked = new Set<string>();

  constructor(private readonly readSide: Pick<ReadSide, 'status' | 'rebuild'>) {}

  get names(): readonly string[] {
    return this.readSide.status().map(({ name }) => name);
  }

  isUnderWay(name: string): boolean {
    const status = this.statusOf(name);
    return this.asked.has(name) || status?.state === 'rebuilding' || Boolean(status?.progress);
  }

  async begin(name: string): Promise<string | null> {
    if (this.isUnderWay(name)) throw new RebuildNotBegun(new RebuildInProgress(name).message);
    this.asked.add(name);
    const database = this.statusOf(name)?.database ?? null;
    const begun = new Deferred<void>();
    this.readSide
      .rebuild([name], () => begun.resolve())
      .then(begun.resolve, (error: unknown) => {
        this.log.warn(`the rebuild of ${name} that was asked for has not succeeded: ${String(error)}`);
        begun.reject(new RebuildNotBegun(error instanceof Error ? error.message : String(error)));
      })
      .finally(() => this.asked.delete(name));
    await begun.promise;
    return database;
  }

  private statusOf(name: string) {
    return this.readSide.status().find((status) => status.name === name);
  }
}

const TOPIC = 'rebuild';
const LOOK_EVERY_MS = 250;
/** Looks after which a request without effect is repeated: messages may be lost. */
const ASK_AGAIN_EVERY = 8;
const NOBODY_AFTER = 60;
/** Milliseconds of silence that are longer than another process needs to take over from a stopped one. */
const SILENT_AFTER_MS = 10_000;
const MOST_PROCESSES = 10_000;

/** Rebuilds projections of this process when another process asks for it. @returns a function that stops this */
export function onRebuildAsked(bus: Bus, rebuild: (names: readonly string[]) => Promise<void>): () => void {
  const log = new Logger('Worker');
  return bus.subscribe(TOPIC, ({ projections }) => {
    if (!Array.isArray(projections)) return;
    rebuild(projections.map(String)).catch((error: unknown) => {
      if (!(error instanceof RebuildInProgress)) log.error(String(error));
    });
  });
}

/**
 * Asks the processes that keep projections to rebuild them, and resolves when all have switched.
 *
 * @param patience milliseconds of silence after which a worker counts as dead
 * @throws Error if no process keeps one of them, or a build failed: the live documents stay live
 */
export async function askForRebuild(
  { bus, documentStore }: { readonly bus: Bus; readonly documentStore: DocumentStore },
  names: readonly string[],
  onProgress: (progress: BuildProgress) => void,
  patience = SILENT_AFTER_MS,
): Promise<void> {
  const registry = await Registry.open(documentStore);
  const beats = await WorkerBeats.open(documentStore);
  const records = async (): Promise<Map<string, ProjectionRecord | null>> =>
    new Map(await Promise.all(names.map(async (name) => [name, await registry.load(name)] as const)));
  const stop = bus.subscribe(PROJECTIONS_TOPIC, (message) => {
    const progress = names.map((name) => announcementIn(message, name)?.progress).find(Boolean);
    if (progress) onProgress(progress);
  });
  try {
    const before = await records();
    /** Token of the lease of the process that was first seen building it, by projection. */
    const builders = new Map<string, number | undefined>();
    for (let look = 0; ; look++) {
      const now = await records();
      const unasked = names.filter((name) => !hasBegun(now.get(name), before.get(name)));
      const building = names.filter((name) => now.get(name)?.building);
      for (const name of building) if (!builders.has(name)) builders.set(name, now.get(name)?.token);
      if (unasked.length === 0 && building.length === 0) {
        return requireSwitched(names, before, now, builders);
      }
      if ((await beats.silence()) > patience) throw new Error(nobodyThere(building));
      if (unasked.length > 0 && look >= NOBODY_AFTER) {
        throw new Error(`no process keeps ${unasked.join(', ')}: start one with "annals projections"`);
      }
      if (unasked.length > 0 && look % ASK_AGAIN_EVERY === 0) await bus.publish(TOPIC, { projections: unasked });
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    stop();
    await registry.close();
    await beats.close();
  }
}

const nobodyThere = (begun: readonly string[]): string =>
  `no process that keeps documents answers: start one with "annals projections" or "annals start", and then the rebuild again${
    begun.length > 0 ? `. Begun, and left unfinished: ${begun.join(', ')}` : ''
  }`;

/** Watches whether any process that keeps documents is alive: its number grows. */
class WorkerBeats {
  private readonly known = new Map<string, number>();
  private heardAt = awakeNow();

  private constructor(private readonly database: DocumentDatabase) {}

  static async open(documentStore: DocumentStore): Promise<WorkerBeats> {
    const database = await documentStore.database(PROCESSES_DATABASE);
    await database.ensure(processCollections);
    return new WorkerBeats(database);
  }

  /** Milliseconds since any of them raised its number. */
  async silence(): Promise<number> {
    const found = await this.database
      .collection<ProcessDocument>('processes')
      .find({}, { sort: { _id: 1 }, limit: MOST_PROCESSES });
    for (const { _id, role, beat } of found) {
      const before = this.known.get(_id);
      this.known.set(_id, beat);
      if (role !== 'api' && before !== undefined && before !== beat) this.heardAt = awakeNow();
    }
    return awakeNow() - this.heardAt;
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

type MaybeRecord = ProjectionRecord | null | undefined;

/** Tells whether a build has begun; one that was under way already counts. */
const hasBegun = (now: MaybeRecord, before: MaybeRecord): boolean =>
  (now?.generation ?? 0) > (before?.generation ?? 0) || Boolean(before?.building);

function requireSwitched(
  names: readonly string[],
  before: ReadonlyMap<string, MaybeRecord>,
  now: ReadonlyMap<string, MaybeRecord>,
  builders: ReadonlyMap<string, number | undefined>,
): void {
  const failed = names.filter((name) => now.get(name)?.live?.name === before.get(name)?.live?.name);
  if (failed.length === 0) return;
  const reasons = failed.map((name) => {
    const { error: broken, buildError, token } = now.get(name) ?? {};
    const error = broken ?? buildError;
    if (error) return `${name}: ${error.message}`;
    if (builders.has(name) && builders.get(name) !== token)
      return `${name}: the process that built it has stopped, or was out of reach, and another one keeps it now; start the rebuild again`;
    return `${name}: the log of the process that keeps it says why`;
  });
  throw new Error(`not built anew, and served as before: ${reasons.join('; ')}`);
}
