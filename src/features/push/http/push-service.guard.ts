import { type CanActivate, Inject, Injectable } from '@nestjs/common';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PUSH_SENDER, type PushSender } from '../../../platform/push/push-sender.js';

/** Refuses registrations without a push service, before anything about the device is looked at. */
@Injectable()
export class PushServiceGuard implements CanActivate {
  constructor(@Inject(PUSH_SENDER) private readonly sender: PushSender | null) {}

  canActivate(): true {
    return this.sender === null ? refuse('PUSH_SERVICE_NOT_CONFIGURED') : true;
  }
}
