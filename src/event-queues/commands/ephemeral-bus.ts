import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BUS, type Bus } from '../../bus/bus.js';
import type { EphemeralEvent } from '../queries/ephemeral-event.js';
import { EphemeralTail } from '../queries/ephemeral-tail.js';

const TOPIC = 'ephemeral-events';

/** Ephemeral events reach the queues of every process. */
@Injectable()
export class EphemeralBus implements OnApplicationShutdown {
  private readonly log = new Logger('EventQueues');
  private readonly stop: () => void;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    tail: EphemeralTail,
  ) {
    this.stop = bus.subscribe(TOPIC, ({ event }) => {
      const heard: unknown = typeof event === 'string' ? JSON.parse(event) : null;
      if (isEphemeral(heard)) tail.add(heard);
    });
  }

  /** Who is not reached will not be: whoever is still typing says so again. */
  async tell(event: EphemeralEvent): Promise<void> {
    await this.bus.publish(TOPIC, { event: JSON.stringify(event) }).catch((error: unknown) => {
      this.log.warn(`other processes were not told of ${event.type}: ${String(error)}`);
    });
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}

/** Processes of another version may tell something else. */
const isEphemeral = (heard: unknown): heard is EphemeralEvent =>
  typeof heard === 'object' && heard !== null && 'type' in heard && 'audience' in heard && 'forms' in heard;
