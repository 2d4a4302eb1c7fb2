import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BUS, type Bus } from '../../../platform/bus/bus.js';
import { type EphemeralEvent, EphemeralTail } from './ephemeral-tail.js';

const TOPIC = 'ephemeral-events';

/** Carries ephemeral events to the queues of every process. */
@Injectable()
export class EphemeralBus implements OnApplicationShutdown {
  private readonly log = new Logger('EventQueues');
  private readonly stop: () => void;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    tail: EphemeralTail,
  ) {
    this.stop = bus.subscribe(TOPIC, ({ event }) => {
      const received: unknown = typeof event === 'string' ? JSON.parse(event) : null;
      if (isEphemeral(received)) tail.add(received);
    });
  }

  /** A process that misses the event does not get it again: clients repeat a typing event while it lasts. */
  async publish(event: EphemeralEvent): Promise<void> {
    await this.bus.publish(TOPIC, { event: JSON.stringify(event) }).catch((error: unknown) => {
      this.log.warn(`other processes were not told of ${event.type}: ${String(error)}`);
    });
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}

/** Processes of another version may publish other forms. */
const isEphemeral = (received: unknown): received is EphemeralEvent =>
  typeof received === 'object' &&
  received !== null &&
  'type' in received &&
  'audience' in received &&
  'forms' in received;
