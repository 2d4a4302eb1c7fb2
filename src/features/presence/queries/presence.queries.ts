import { Directory } from '../../../directory/directory.js';
import { namedAccount } from '../../../directory/named-account.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import {
  ReadsState,
  type RegisterContext,
  type StateParts,
  type StateReader,
} from '../../event-queues/state-reader.js';
import { OFFLINE_SECONDS, PING_SECONDS, type StatusAt, statusAt } from '../domain/presence.js';
import { PresenceBoard } from '../services/presence-board.js';
import { Presences } from '../services/presences.js';

interface OnePresence {
  readonly website: StatusAt;
  readonly aggregated: Omit<StatusAt, 'status'> & { readonly status: StatusAt['status'] | 'offline' };
}

/**
 * @param user an id, an address in any case, or `user<id>@<domain>`
 * @throws DomainError USER_NOT_FOUND, PRESENCE_OF_BOT, PRESENCE_UNKNOWN
 */
export class GetPresence extends Query<{ user: string }, OnePresence> {}

export const presenceQueries = [
  answersFrom(
    GetPresence,
    [Directory, PresenceBoard, SITE],
    ({ user: name }, directory, board, site: () => string): OnePresence => {
      const user = namedAccount(name, directory, site());
      if (!user?.isActive) return refuse('USER_NOT_FOUND');
      if (user.bot !== null) refuse('PRESENCE_OF_BOT');
      const presence = directory.setting('presence_disabled') ? undefined : board.of(user._id);
      if (!presence) return refuse('PRESENCE_UNKNOWN', { user: name });
      const website = statusAt(presence);
      const isOffline = board.now() / 1000 - website.timestamp > OFFLINE_SECONDS;
      return { aggregated: isOffline ? { ...website, status: 'offline' } : website, website };
    },
  ),
];

@ReadsState()
export class PresenceStateReader implements StateReader {
  constructor(private readonly presences: Presences) {}

  parts({ request: { slimPresence, presenceHistoryDays } }: RegisterContext): StateParts {
    return {
      organization: {
        presence: () =>
          (slimPresence ? this.presences.modern(null, presenceHistoryDays) : this.presences.legacy(presenceHistoryDays))
            .members,
        realm: () => ({
          server_presence_ping_interval_seconds: PING_SECONDS,
          server_presence_offline_threshold_seconds: OFFLINE_SECONDS,
        }),
      },
    };
  }
}
