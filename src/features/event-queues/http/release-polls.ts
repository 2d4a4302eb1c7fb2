import { Injectable } from '@nestjs/common';
import { ShutdownSignal } from '../../../platform/http/shutdown-signal.js';
import { WaitingPolls } from '../queries/waiting-polls.js';

/** Answers every waiting poll when the server begins to close. */
@Injectable()
export class ReleasePolls {
  constructor({ signal }: ShutdownSignal, waiting: WaitingPolls) {
    signal.addEventListener('abort', () => waiting.close(), { once: true });
  }
}
