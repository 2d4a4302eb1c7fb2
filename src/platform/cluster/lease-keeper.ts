import { PeriodicTask } from '../kernel/periodic-task.js';
import type { Lease, Leases } from './leases.js';
import type { LeaseDocument } from './process.documents.js';
import type { ProcessRegistry } from './process-registry.js';

interface LeaseKeeperOptions {
  readonly registry: Pick<ProcessRegistry, 'isAlive' | 'countOtherKeepers'>;
  readonly leases: Pick<Leases, 'look' | 'acquire' | 'release'>;
  /** Names of the leases: each is held by one process at a time. */
  readonly names: readonly string[];
  /** Tells whether this process can do the work now; if not, another process may. Default: yes. */
  readonly canKeep?: () => boolean;
  /** Begins the work of these leases. If it rejects, the leases are given back. */
  readonly adopt: (leases: readonly Lease[]) => Promise<void>;
  /** Ends the work of one lease. @returns false: not now */
  readonly release: (name: string) => Promise<boolean>;
  /** Ends the work of all leases. */
  readonly drop: () => Promise<void>;
  readonly report: (error: unknown) => void;
  /** Milliseconds between two looks at the leases; default 250. */
  readonly lookEvery?: number;
  /** Number of looks after which this process takes a free lease beyond its share; default 6. */
  readonly patience?: number;
  /** Number of looks after which this process hands over again a lease that nobody took; default 120. */
  readonly rest?: number;
}

/**
 * Acquires free leases, its share of them first, and drops all of them as soon as another process may hold them. Leases
 * beyond its share are handed over to processes that join later, one by one, each after the one before was taken. No
 * process is told to take over: every living process looks.
 */
export class LeaseKeeper {
  private readonly held = new Map<string, Lease>();
  /** Number of looks at which a lease was free, by the lease's name. */
  private readonly refused = new Map<string, number>();
  private readonly looking: PeriodicTask;
  private lost = false;
  /** The lease that was handed over and is yet to be taken. */
  private handed: string | null = null;
  /** Number of looks before the next lease is handed over. */
  private resting = 0;

  constructor(private readonly options: LeaseKeeperOptions) {
    this.looking = new PeriodicTask({ every: options.lookEvery ?? 250, work: () => this.look() });
  }

  /** Resolves after the first look. */
  async start(): Promise<void> {
    await this.look();
    this.looking.start();
  }

  /** Drops all leases at the next look, and looks for leases anew: another process may hold them by now. */
  lose(): void {
    this.lost = true;
  }

  /** Names of the leases that this process holds. */
  holds(): string[] {
    return [...this.held.keys()];
  }

  /** Ends the work and gives all leases back. */
  async close(): Promise<void> {
    await this.looking.stop();
    await this.dropAll();
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
      if (acquired.length > 0) await this.adopt(acquired);
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

  private async adopt(acquired: readonly Lease[]): Promise<void> {
    for (const lease of acquired) this.held.set(lease.name, lease);
    try {
      await this.options.adopt(acquired);
    } catch (error) {
      this.lost = true;
      throw error;
    }
  }

  /** Hands over one lease at a time, so that little work stands still at any moment. */
  private async handOver(found: ReadonlyMap<string, LeaseDocument>): Promise<void> {
    const { leases, rest = 120 } = this.options;
    if (this.handed !== null && this.held.has(this.handed)) this.resting = rest;
    else if (this.handed !== null && !found.get(this.handed)?.holder) return;
    this.handed = null;
    if (this.resting > 0) this.resting--;
    else if (this.held.size > this.share()) {
      const lease = [...this.held.values()].at(-1);
      if (!lease || !(await this.release(lease.name))) return;
      this.held.delete(lease.name);
      await leases.release(lease);
      this.handed = lease.name;
    }
  }

  private async release(name: string): Promise<boolean> {
    try {
      return await this.options.release(name);
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
