import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BUS, type Bus } from '../../../platform/bus/bus.js';
import { LiveQueues } from '../queries/live-queues.js';
import { WaitingPolls } from '../queries/waiting-polls.js';

const TOPIC = 'ended-queues';

/** Makes every process drop the queues that any process has deleted or expired. */
@Injectable()
export class EndedQueues implements OnApplicationShutdown {
  private readonly log = new Logger('EventQueues');
  private readonly stop: () => void;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    queues: LiveQueues,
    waiting: WaitingPolls,
  ) {
    this.stop = bus.subscribe(TOPIC, ({ queueId }) => {
      if (typeof queueId !== 'string') return;
      queues.forget(queueId);
      waiting.release(queueId);
    });
  }

  /** A process that misses the message looks the queue up again within seconds. */
  async announce(queueId: string): Promise<void> {
    await this.bus.publish(TOPIC, { queueId }).catch((error: unknown) => {
      this.log.warn(`other processes were not told that a queue has ended: ${String(error)}`);
    });
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
