import { Logger } from '@nestjs/common';
import { RebuildInProgress } from '../../../projections/runner/build-errors.js';
import { Deferred } from '../../platform/kernel/deferred.js';
import { RebuildNotBegun, type Rebuilds } from '../../platform/read-models/rebuilds.js';
import type { ReadSide } from './read-side.js';

/** Rebuilds that people ask this process for, which do not wait for the end. */
export class AskedRebuilds implements Rebuilds {
  private readonly log = new Logger('Projections');
  /** Those that have not ended: what other processes build is known a little later. */
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
