import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BUS, type Bus } from '../../bus/bus.js';
import { LiveQueues } from '../queries/live-queues.js';
import { WaitingPolls } from '../queries/waiting-polls.js';

const TOPIC = 'ended-queues';

/** Queues that were deleted or have expired are held by no process any more, whichever one ended them. */
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

  /** Those that are not reached look the queue up again before long. */
  async tell(queueId: string): Promise<void> {
    await this.bus.publish(TOPIC, { queueId }).catch((error: unknown) => {
      this.log.warn(`other processes were not told that a queue has ended: ${String(error)}`);
    });
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
