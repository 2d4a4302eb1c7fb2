import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { KeyUses } from '../../../directory/key-uses.js';
import { Sweeper } from '../../../platform/commands/sweeper.js';
import { DAY_MS } from '../../../platform/kernel/durations.js';
import { EndUnusedApiKeys } from '../domain/api-keys.js';
import { API_KEY_SETTINGS, type ApiKeySettings } from '../users.settings.js';

const FIRST_AFTER_MS = 60_000;
/** Number of accounts whose keys are looked up at once. */
const PAGE = 200;

/** Ends unused API keys of people, once a day. Several processes may sweep at once: ending a key twice is harmless. */
@Injectable()
export class ApiKeySweeper extends Sweeper {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
    private readonly uses: KeyUses,
    @Inject(API_KEY_SETTINGS) private readonly settings: ApiKeySettings,
  ) {
    super({
      name: 'Authentication',
      failure: 'unused keys could not be looked for',
      every: DAY_MS,
      firstAfter: FIRST_AFTER_MS,
    });
  }

  /** @param now milliseconds since 1970 */
  async sweep(now: number = Date.now()): Promise<void> {
    const people = this.directory.allUsers().filter(({ bot, isActive }) => bot === null && isActive);
    for (let n = 0; n < people.length; n += PAGE) await this.sweepAmong(people.slice(n, n + PAGE), now);
    await this.uses.keepOnly((hash) => this.directory.userByKeyHash(hash) !== undefined);
  }

  private async sweepAmong(people: readonly UserRecord[], now: number): Promise<void> {
    const hashes = people.flatMap(({ apiKeys }) => apiKeys.map(({ hash }) => hash));
    const lastUses = await this.uses.lastUses(hashes);
    // Counts as used now: the documents of uses may be lost.
    for (const hash of hashes) if (!lastUses.has(hash)) this.uses.record(hash);
    const isUnused = (hash: string): boolean => now - (lastUses.get(hash) ?? now) > this.settings.idleLimit;
    const by = this.context();
    for (const { _id: userId, apiKeys } of people) {
      const unused = apiKeys.flatMap(({ hash }) => (isUnused(hash) ? [hash] : []));
      if (unused.length > 0) await this.commands.execute(new EndUnusedApiKeys({ userId, keyHashes: unused, by }));
    }
  }
}
