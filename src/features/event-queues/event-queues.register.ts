import { Inject } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from './event-queues.settings.js';
import { absentFeatures } from './queries/initial-state.handler.js';
import { ReadsState, type StateParts, type StateReader } from './state-reader.js';

/** Clients wait for an answer at least this much longer than a heartbeat. */
const PATIENCE_SECONDS = 40;
const LEAST_LONGPOLL_SECONDS = 90;

@ReadsState()
export class EventQueueStateReader implements StateReader {
  constructor(@Inject(QUEUE_SETTINGS) private readonly settings: QueueSettings) {}

  parts(): StateParts {
    const heartbeatSeconds = Math.ceil(this.settings.heartbeatAfter / 1000);
    const longpoll = Math.max(LEAST_LONGPOLL_SECONDS, heartbeatSeconds + PATIENCE_SECONDS);
    return {
      absent: absentFeatures,
      organization: { realm: () => ({ event_queue_longpoll_timeout_seconds: longpoll }) },
    };
  }
}
