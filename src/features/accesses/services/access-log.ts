import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ACCESSES_STREAM, type AuditWordsRead } from '../../../events/accesses/accesses.events.js';
import { eventRegistry } from '../../../events/event-registry.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { AccessKeys } from '../../../platform/commands/month-keys.js';
import { addressBlock } from '../../../platform/http/address-block.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { Mutex } from '../../../platform/kernel/mutex.js';
import { ACCESS_SETTINGS, type AccessSettings } from '../accesses.settings.js';
import type { Access, Occasion } from '../domain/access.js';
import { type GatheredAccess, GatheredAccesses } from '../domain/gathered-accesses.js';

/** A process that dies loses the new accesses of this time, and the repeats of the last minute. */
const WRITE_EVERY_MS = 1000;

interface Unwritten extends GatheredAccess {
  /** Stays the same when the append is tried again. */
  readonly id: string;
}

/** Records accesses in the log. `record` does so soon and in the background: no request waits for it or fails by it. */
@Injectable()
export class AccessLog implements OnApplicationShutdown {
  private readonly log = new Logger('Accesses');
  private readonly gathered = new GatheredAccesses();
  private readonly writing = new Mutex();
  /** Taken from `gathered`. While the log takes none, nothing more is taken: repeats are counted meanwhile. */
  private unwritten: readonly Unwritten[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isFailing = false;

  constructor(
    private readonly runner: CommandRunner,
    private readonly keys: AccessKeys,
    @Inject(ACCESS_SETTINGS) private readonly settings: AccessSettings,
  ) {}

  /** @returns whether there will be an event; false: there were too many, so it is only counted, or the setting is off */
  record(access: Access, by: CommandContext): boolean {
    if (!this.settings.areRecorded) return false;
    const isRecorded = this.gathered.add(access, by, occasionOf(by));
    this.writeSoon();
    return isRecorded;
  }

  /** Counts an access to the caller's own account, of which there are too many. */
  recordMore(of: Access['type'], by: CommandContext): void {
    if (!this.settings.areRecorded) return;
    const accounts = by.actorId === null ? [] : [by.actorId];
    this.gathered.addMore({ of, accounts, kind: null }, by, occasionOf(by));
    this.writeSoon();
  }

  get isRecording(): boolean {
    return this.settings.areRecorded;
  }

  /**
   * Appends an access that must be in the log before its request is answered.
   * @throws EventStoreUnavailable; ContentKeysUnavailable
   */
  async append(access: AuditWordsRead, by: CommandContext): Promise<void> {
    await this.runner.report(ACCESSES_STREAM, access, by);
  }

  /** Resolves when everything recorded so far is in the log, or could not be appended. */
  flush(): Promise<void> {
    return this.writing.run(() => this.write(true));
  }

  onApplicationShutdown(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    return this.flush();
  }

  private writeSoon(): void {
    this.timer ??= setTimeout(() => {
      void this.writing
        .run(() => this.write(false))
        .finally(() => {
          this.timer = null;
          if (!this.gathered.isEmpty || this.unwritten.length > 0) this.writeSoon();
        });
    }, WRITE_EVERY_MS).unref();
  }

  private async write(all: boolean): Promise<void> {
    await this.appendUnwritten();
    if (this.unwritten.length > 0) return;
    const due = this.gathered.take(Date.now(), { all });
    this.unwritten = due.map((access) => ({ ...access, id: newEventId() }));
    await this.appendUnwritten();
  }

  private async appendUnwritten(): Promise<void> {
    const tried = await Promise.all(this.unwritten.map((one) => this.tryToAppend(one)));
    this.unwritten = tried.flatMap((failed) => failed ?? []);
    if (this.unwritten.length === 0) this.isFailing = false;
  }

  /** @returns the access if it could not be appended */
  private async tryToAppend(unwritten: Unwritten): Promise<Unwritten | null> {
    const { event, by, id } = unwritten;
    try {
      const hasWords = eventRegistry.get(event.type)?.sealed !== undefined;
      const options = hasWords ? { id, sealing: await this.keys.current() } : { id };
      await this.runner.report(ACCESSES_STREAM, event, by, options);
      return null;
    } catch (error) {
      if (!this.isFailing) this.log.warn(`accesses cannot be recorded, trying again: ${String(error)}`);
      this.isFailing = true;
      return unwritten;
    }
  }
}

/** Whoever has a network of IPv6 addresses is one source. */
function occasionOf({ actorId, address }: CommandContext): Occasion {
  const network = address === undefined ? null : addressBlock(address);
  return { source: actorId === null ? `network ${network}` : `user ${actorId}`, network, at: Date.now() };
}
