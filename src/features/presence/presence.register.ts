import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { OFFLINE_SECONDS, PING_SECONDS } from './domain/presence.js';
import { Presences } from './queries/presences.js';

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
