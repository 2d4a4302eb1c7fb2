import { Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { userSetting } from '../../../events/personal/user.settings.js';
import { EphemeralBus } from '../../event-queues/services/ephemeral-bus.js';
import {
  type Presence,
  type PresenceStatus,
  pinged,
  presenceOnSharing,
  statusAt,
  timestampsOf,
} from '../domain/presence.js';
import { PresenceBoard } from './presence-board.js';

/** With more accounts somebody always comes online: their clients see it at their next ping. */
const MOST_TOLD = 100;
/** Milliseconds for which a large organization counts as large. */
const COUNTED_MS = 60_000;

/** Takes down who is present, and tells clients who comes online. */
@Injectable()
export class SharedPresence {
  private accounts = 0;
  private countAgainAt = 0;

  constructor(
    private readonly board: PresenceBoard,
    private readonly directory: Directory,
    private readonly ephemeral: EphemeralBus,
  ) {}

  /** Changes nothing for a user who does not share their presence. */
  async ping(user: UserRecord, status: PresenceStatus): Promise<void> {
    if (!userSetting(user.settings, 'presence_enabled')) return;
    const change = pinged(this.board.of(user._id), status, this.board.now());
    if (!change) return;
    this.board.record(user._id, change.presence);
    if (change.comesOnline) await this.tell(user, change.presence);
  }

  /** The user has begun to share their presence, or has stopped. */
  async share(user: UserRecord, isShared: boolean): Promise<void> {
    const presence = presenceOnSharing(isShared, this.board.now());
    this.board.record(user._id, presence);
    await this.tell(user, presence);
  }

  private async tell({ _id: userId, email }: UserRecord, presence: Presence): Promise<void> {
    if (this.directory.setting('presence_disabled') || this.isLarge()) return;
    const website = { client: 'website', ...statusAt(presence), pushable: false };
    const older = { user_id: userId, email, server_timestamp: this.board.now() / 1000, presence: { website } };
    await this.ephemeral.publish({
      type: 'presence',
      audience: { everyone: true },
      forms: [
        {
          needs: ['simplified_presence_events'],
          body: { type: 'presence', presences: { [userId]: { ...timestampsOf(presence) } } },
        },
        { needs: [], body: { type: 'presence', ...older } },
      ],
    });
  }

  /** Counted now and then: an organization does not shrink from one minute to the next. */
  private isLarge(): boolean {
    const now = this.board.now();
    if (now >= this.countAgainAt) {
      this.accounts = this.directory.allUsers().filter(({ isActive, bot }) => isActive && bot === null).length;
      this.countAgainAt = this.accounts > MOST_TOLD ? now + COUNTED_MS : 0;
    }
    return this.accounts > MOST_TOLD;
  }
}
