import { Inject, Injectable } from '@nestjs/common';
import {
  KEY_ADDRESSES,
  type KeyAddressesDocument,
  keyAddresses,
} from '../../../../projections/key-addresses/key-addresses.projection.js';
import { apiKeyId } from '../../../events/users/users.events.js';
import { addressesOf, endOfMonth, monthKeyId } from '../../../platform/content-keys/month-key.js';
import { HOUR_MS } from '../../../platform/kernel/durations.js';
import { EventCodec } from '../../../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../platform/log/event-store.js';
import { eventsAt } from '../../../platform/log/scattered-events.js';
import { READ_MODELS, type ReadModels, reach } from '../../../platform/read-models/read-models.js';
import { ACCESS_SETTINGS, type AccessSettings } from '../accesses.settings.js';

interface RecordedAddress {
  readonly address: string;
  /** Until when the log knows it, milliseconds since 1970. */
  readonly until: number;
}

interface RecordedAddresses {
  /** Addresses whose keys are there. */
  readonly addresses: readonly RecordedAddress[];
  /** Whether the log has any of the key, perhaps one that cannot be opened any more. */
  readonly isBegun: boolean;
}

/** Reads which addresses a key was used from, as the log has them. */
@Injectable()
export class AddressesInLog {
  constructor(
    @Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'knownHead' | 'head' | 'readStream' | 'readAt'>,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly codec: EventCodec,
    @Inject(ACCESS_SETTINGS) private readonly settings: AccessSettings,
  ) {}

  /** @throws UnavailableError, EventStoreUnavailable, ContentKeysUnavailable, DocumentStoreUnavailable */
  async of(userId: number, keyHash: string): Promise<RecordedAddresses> {
    const head = this.log.knownHead ?? (await this.log.head());
    await reach(
      head,
      keyAddresses,
      this.readModels,
      'the addresses of API keys are not yet those of the newest events of the log',
      2,
    );
    const accounts = this.readModels.collection<KeyAddressesDocument>(keyAddresses, KEY_ADDRESSES);
    const id = apiKeyId(keyHash);
    const all = (await accounts.findOne({ _id: userId }))?.addresses ?? [];
    const own = all.filter((one) => one.apiKeyId === id);
    const opened = await this.codec.addressesOf(await eventsAt(own, this.log));
    const addresses = own.flatMap(({ at }, index) => {
      const address = opened[index] ?? null;
      return address === null ? [] : [{ address, until: this.knownUntil(userId, at) }];
    });
    return { addresses, isBegun: own.length > 0 };
  }

  /**
   * The month's key ends with the first sweep after its time. Until then the log still knows the address.
   * @param at when it was recorded, milliseconds since 1970
   */
  knownUntil(userId: number, at: number): number {
    const monthEnds = endOfMonth(monthKeyId(addressesOf(userId), at)) ?? at;
    return Math.max(monthEnds + this.settings.addressesKeptFor, Date.now() + HOUR_MS);
  }
}
