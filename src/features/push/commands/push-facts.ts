import { Inject, Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import { PUSH_SENDER, type PushSender } from '../../../platform/push/push-sender.js';

/** Facts for decisions about tokens and devices. */
@Injectable()
export class PushFacts {
  readonly isConfigured: boolean;

  constructor(
    private readonly directory: Directory,
    @Inject(PUSH_SENDER) sender: PushSender | null,
  ) {
    this.isConfigured = sender !== null;
  }

  isBot(userId: number): boolean {
    return (this.directory.user(userId)?.bot ?? null) !== null;
  }
}
