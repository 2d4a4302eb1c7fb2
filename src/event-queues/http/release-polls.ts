import { Injectable } from '@nestjs/common';
import { ShutdownSignal } from '../../http/shutdown-signal.js';
import { WaitingPolls } from '../queries/waiting-polls.js';

/** When the server begins to close, polls are answered with what there is. */
@Injectable()
export class ReleasePolls {
  constructor({ signal }: ShutdownSignal, waiting: WaitingPolls) {
    signal.addEventListener('abort', () => waiting.close(), { once: true });
  }
}
