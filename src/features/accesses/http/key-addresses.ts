import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { UserRecord } from '../../../directory/directory.records.js';
import { requesterOf } from '../../../directory/http/caller.decorator.js';
import { KeyUseListeners } from '../../../directory/http/key-use.guard.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { edge } from '../../../platform/http/edge-state.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { HOUR_MS, MINUTE_MS } from '../../../platform/kernel/durations.js';
import { forEachConcurrently } from '../../../platform/kernel/for-each-concurrently.js';
import { ACCESS_SETTINGS, type AccessSettings } from '../accesses.settings.js';
import { AddressesInLog } from '../log/addresses-in-log.js';
import { AccessLog } from '../services/access-log.js';
import { KnownAddresses, networkOfKey, ToldInHour, toldInMinute } from '../services/known-addresses.js';

const AGAIN_AFTER_MS = 1000;
const AT_ONCE = 4;
/** Uses that wait until the log was asked. Of more, the next request from there is looked at. */
const MOST_WAITING = 1000;

interface KeyUse {
  readonly user: UserRecord;
  readonly keyHash: string;
  readonly address: string;
  readonly by: CommandContext;
}

/**
 * Records uses of API keys from addresses that are new for the key. A request looks into memory alone; an address that is
 * not there is looked for in the log, in the background.
 */
@Injectable()
export class KeyAddresses implements OnApplicationShutdown {
  private readonly log = new Logger('Accesses');
  private readonly known = new KnownAddresses();
  private readonly told = new ToldInHour();
  private readonly toldByAll = toldInMinute();
  private readonly waiting = new Map<string, KeyUse>();
  private looking: Promise<void> | null = null;
  private again: NodeJS.Timeout | null = null;
  private isFailing = false;
  private isOver = false;

  constructor(
    private readonly accesses: AccessLog,
    private readonly recorded: AddressesInLog,
    @Inject(ACCESS_SETTINGS) settings: AccessSettings,
    listeners: KeyUseListeners,
  ) {
    if (settings.areRecorded && settings.addressesKeptFor > 0) listeners.add((request) => this.used(request));
  }

  private used(request: FastifyRequest): void {
    const { user, keyHash, address } = request[edge];
    if (user === null || keyHash === null) return;
    const now = Date.now();
    // Nothing is lost: the next request from there is looked at. In a large organization, nearly each asks in this minute.
    if (this.toldByAll.isFull(now) || this.known.isKnown(keyHash, address, now)) return;
    const place = networkOfKey(keyHash, address);
    if (this.waiting.has(place) || this.waiting.size >= MOST_WAITING) return;
    this.waiting.set(place, { user, keyHash, address, by: requesterOf(request) });
    if (this.again === null) this.look();
  }

  /** Resolves when everything that waits now was looked at, or could not be. */
  async settled(): Promise<void> {
    await this.looking;
    if (this.waiting.size === 0) return;
    this.look();
    await this.looking;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isOver = true;
    if (this.again) clearTimeout(this.again);
    await this.settled();
    await this.accesses.flush();
  }

  private look(): void {
    this.looking ??= this.lookAtAll().finally(() => {
      this.looking = null;
      if (this.waiting.size > 0 && !this.isOver) this.lookAgain();
    });
  }

  private lookAgain(): void {
    this.again ??= setTimeout(() => {
      this.again = null;
      this.look();
    }, AGAIN_AFTER_MS).unref();
  }

  private async lookAtAll(): Promise<void> {
    try {
      await forEachConcurrently(this.waiting, AT_ONCE, async ([place, use]) => {
        await this.lookAt(use);
        this.waiting.delete(place);
      });
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn(`addresses of API keys cannot be looked for, trying again: ${String(error)}`);
      this.isFailing = true;
    }
  }

  private async lookAt(use: KeyUse): Promise<void> {
    const { user, keyHash, address, by } = use;
    if (this.told.isFull(user._id, Date.now())) return this.onlyCount(use);
    if (this.toldByAll.isFull(Date.now())) return;
    const { addresses, isBegun } = await this.recorded.of(user._id, keyHash);
    for (const one of addresses) this.known.add(keyHash, one.address, one.until);
    const now = Date.now();
    if (this.known.isKnown(keyHash, address, now)) return;
    const isFirst = !isBegun && !this.known.hasBegun(keyHash);
    const account = user.bot === null ? 'person' : 'bot';
    const data = { userId: user._id, account, apiKeyId: apiKeyId(keyHash), isFirst } as const;
    if (!this.accesses.record({ type: 'KeyUsedElsewhere', data }, by))
      return this.known.passOver(keyHash, address, now + MINUTE_MS);
    this.told.add(user._id, now);
    this.toldByAll.add(now);
    this.known.add(keyHash, address, this.recorded.knownUntil(user._id, now));
  }

  /** Counts the use without its address: with addresses, each would be an event of its own. */
  private onlyCount({ user, keyHash, address, by: { client, correlationId } }: KeyUse): void {
    this.accesses.recordMore('KeyUsedElsewhere', { actorId: user._id, client, correlationId });
    this.known.passOver(keyHash, address, Date.now() + HOUR_MS);
  }
}
