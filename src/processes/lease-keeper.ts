import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, Leases } from './leases.js';
import type { LeaseDocument } from './process.documents.js';
import type { ProcessRegistry } from './process-registry.js';

export interface LeaseKeeperOptions {
  readonly registry: Pick<ProcessRegistry, 'isAlive' | 'countOtherKeepers'>;
  readonly leases: Pick<Leases, 'look' | 'acquire' | 'release'>;
  /** What there is to do, each by one process at a time. */
  readonly names: readonly string[];
  /** Whether it can be done by this process just now; where not, another one that can is left to do it. Default: yes. */
  readonly canKeep?: () => boolean;
  /** Does it from now on. Rejects where it cannot: the leases are given back. */
  readonly take: (leases: readonly Lease[]) => Promise<void>;
  /** Does nothing of this one any more when it resolves with true; false: not now. */
  readonly leave: (name: string) => Promise<boolean>;
  /** Does nothing of what it did any more when it resolves. */
  readonly drop: () => Promise<void>;
  readonly report: (error: unknown) => void;
  /** Milliseconds between two looks; default 250. */
  readonly lookEvery?: number;
  /** Looks after which this process takes what nobody wanted, although it does its share already; default 6. */
  readonly patience?: number;
  /** Looks after which this process hands over again what nobody has taken before; default 120. */
  readonly rest?: number;
}

/**
 * Takes up what nobody does, its share of it first, and lets go of everything as soon as it may not be its own any
 * more. What is more than its share it hands over to processes that join later, one after the other, each when the one
 * before has been taken. Nobody has to be told to take over: whoever is alive looks.
 */
export class LeaseKeeper {
  private readonly held = new Map<string, Lease>();
  /** Looks for which a lease has been there for the taking. */
  private readonly refused = new Map<string, number>();
  private readonly stopping = new AbortController();
  private lost = false;
  /** Left for another process, which has yet to take it. */
  private handed: string | null = null;
  /** Looks before anything more is handed over. */
  private resting = 0;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: LeaseKeeperOptions) {}

  /** Resolves after the first look. */
  async start(): Promise<void> {
    await this.look();
    this.running = this.keepLooking();
  }

  /** What is held may be another's by now: everything is dropped, and looked at anew. */
  lose(): void {
    this.lost = true;
  }

  /** Names of what this process does. */
  holds(): string[] {
    return [...this.held.keys()];
  }

  /** Stops doing everything, and gives it back. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.dropAll();
  }

  private async keepLooking(): Promise<void> {
    const { signal } = this.stopping;
    const { lookEvery = 250 } = this.options;
    while (!signal.aborted) {
      await sleep(lookEvery, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.look();
    }
  }

  private async look(): Promise<void> {
    try {
      const { names, leases, registry } = this.options;
      if (this.lost) await this.dropAll();
      this.lost = false;
      if (!registry.isAlive()) return;
      if (!this.canKeep()) {
        if (this.held.size > 0 && registry.countOtherKeepers() > 0) await this.dropAll();
        return;
      }
      const tokens = await leases.look(names);
      if ([...this.held.values()].some(({ name, token }) => tokens.get(name)?.token !== token)) await this.dropAll();
      const acquired = await this.acquire(tokens);
      if (acquired.length > 0) await this.take(acquired);
      await this.handOver(tokens);
    } catch (error) {
      this.options.report(error);
    }
  }

  private async acquire(found: ReadonlyMap<string, LeaseDocument>): Promise<Lease[]> {
    const { names, leases, patience = 6 } = this.options;
    const share = this.share();
    const acquired: Lease[] = [];
    for (const name of names) {
      if (this.held.has(name)) continue;
      const looks = this.refused.get(name) ?? 0;
      if (this.held.size + acquired.length >= share && looks < patience) {
        this.refused.set(name, looks + 1);
        continue;
      }
      const lease = await leases.acquire(name, found.get(name));
      this.refused.delete(name);
      if (lease) acquired.push(lease);
    }
    return acquired;
  }

  private async take(acquired: readonly Lease[]): Promise<void> {
    for (const lease of acquired) this.held.set(lease.name, lease);
    try {
      await this.options.take(acquired);
    } catch (error) {
      this.lost = true;
      throw error;
    }
  }

  /** One at a time, so that little stands still at any moment. */
  private async handOver(found: ReadonlyMap<string, LeaseDocument>): Promise<void> {
    const { leases, rest = 120 } = this.options;
    if (this.handed !== null && this.held.has(this.handed)) this.resting = rest;
    else if (this.handed !== null && !found.get(this.handed)?.holder) return;
    this.handed = null;
    if (this.resting > 0) this.resting--;
    else if (this.held.size > this.share()) {
      const lease = [...this.held.values()].at(-1);
      if (!lease || !(await this.leave(lease.name))) return;
      this.held.delete(lease.name);
      await leases.release(lease);
      this.handed = lease.name;
    }
  }

  private async leave(name: string): Promise<boolean> {
    try {
      return await this.options.leave(name);
    } catch (error) {
      this.lost = true;
      throw error;
    }
  }

  private share(): number {
    const { names, registry } = this.options;
    return Math.ceil(names.length / (registry.countOtherKeepers() + 1));
  }

  private canKeep(): boolean {
    return this.options.canKeep?.() ?? true;
  }

  private async dropAll(): Promise<void> {
    await this.options.drop();
    const held = [...this.held.values()];
    this.held.clear();
    this.handed = null;
    for (const lease of held) await this.options.leases.release(lease).catch(this.options.report);
  }
}
