import { Logger } from '@nestjs/common';
import { type DocumentStore, DocumentStoreUnavailable } from '../../documents/document-store.js';
import { foldCase } from '../../kernel/text.js';
import { addressBlock } from '../address-block.js';
import { FamiliarAddresses } from './familiar-addresses.js';
import { inHour, inMinute, type SharedLimits } from './shared-limits.js';

/** The most failures, over all processes. */
export interface LoginLimitSettings {
  /** Passwords for one account from one address, a minute. */
  readonly pairInMinute: number;
  /** The same in an hour. */
  readonly pairInHour: number;
  /** Passwords for one account from addresses that are not familiar to it, an hour. */
  readonly account: number;
  /** Passwords from one address for accounts that it is not familiar to, an hour. */
  readonly address: number;
  /** Passwords from addresses that are not familiar to the account, for all accounts together, an hour. */
  readonly all: number;
  /** API keys for one account, and as many from one address, a minute. */
  readonly keys: number;
  /** API keys for all accounts together, a minute. */
  readonly allKeys: number;
}

export const loginLimitDefaults: LoginLimitSettings = {
  pairInMinute: 10,
  pairInHour: 60,
  account: 50,
  address: 100,
  all: 5000,
  keys: 100,
  allKeys: 6000,
};

/** Who tries to log in. */
interface LoginAttempt {
  /** The client's IP address. */
  readonly address: string;
  /** The account that is named, whether or not there is one. */
  readonly account: string;
}

/**
 * Limits failed logins by account, by address and in all. An address from which the account was used lately is familiar:
 * its attempts are counted apart from those of strangers, so that no stranger can lock the owner out.
 */
export class LoginLimits {
  private constructor(
    private readonly limits: SharedLimits,
    private readonly familiar: FamiliarAddresses,
    private readonly settings: LoginLimitSettings,
  ) {}

  /** @param store where addresses are remembered */
  static async open(
    store: DocumentStore,
    limits: SharedLimits,
    settings: LoginLimitSettings,
    now: () => number = Date.now,
  ): Promise<LoginLimits> {
    const log = new Logger('Authentication');
    const onUnstored = (error: unknown): void => log.error(`addresses of logins are not stored: ${String(error)}`);
    return new LoginLimits(limits, await FamiliarAddresses.open(store, onUnstored, now), settings);
  }

  /**
   * Takes one attempt before the password is checked, so that guesses sent at the same time all count.
   * @returns gives the attempt back; called unless the password was wrong
   * @throws DomainError RATE_LIMIT_HIT
   */
  async takePassword({ address, account }: LoginAttempt): Promise<() => void> {
    const { pairInMinute, pairInHour, account: perAccount, address: perAddress, all } = this.settings;
    const name = foldCase(account);
    const block = addressBlock(address);
    const pair = [inMinute(`pair ${block} ${name}`, pairInMinute), inHour(`pair ${block} ${name}`, pairInHour)];
    if (await this.isFamiliar(name, address)) return this.limits.consume(...pair);
    return this.limits.consume(
      ...pair,
      inHour(`account ${name}`, perAccount),
      inHour(`address ${block}`, perAddress),
      inHour('all', all),
    );
  }

  /** The same for the caller's own password, which the holder of an API key could guess. @throws DomainError RATE_LIMIT_HIT */
  takeOwnPassword(userId: number): Promise<() => void> {
    const { pairInMinute, pairInHour } = this.settings;
    const name = `own password ${userId}`;
    return this.limits.consume(inMinute(name, pairInMinute), inHour(name, pairInHour));
  }

  /** Counts a wrong API key. A right one is never counted: nobody can guess it. @throws DomainError RATE_LIMIT_HIT */
  async countWrongKey({ address, account }: LoginAttempt): Promise<void> {
    const { keys, allKeys } = this.settings;
    await this.limits.consume(
      inMinute(`key account ${foldCase(account)}`, keys),
      inMinute(`key address ${addressBlock(address)}`, keys),
      inMinute('key all', allKeys),
    );
  }

  /** Makes the address familiar to the account: the owner has used it. */
  remember({ address, account }: LoginAttempt): void {
    this.familiar.record(foldCase(account), address);
  }

  onApplicationShutdown(): Promise<void> {
    return this.familiar.flush();
  }

  /** While the documents are away, every address counts as a stranger's. */
  private async isFamiliar(account: string, address: string): Promise<boolean> {
    try {
      return await this.familiar.has(account, address);
    } catch (error) {
      if (error instanceof DocumentStoreUnavailable) return false;
      throw error;
    }
  }
}
