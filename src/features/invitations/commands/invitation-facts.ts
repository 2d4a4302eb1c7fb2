import { Inject, Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import type { LimitFacts, MailLimits } from '../domain/mail-limits.js';
import type { ManagerFacts } from '../domain/manage-invitation.js';
import { MAIL_LIMITS } from '../invitations.settings.js';
import { managerFacts } from '../queries/inviter-facts.js';

/** Facts about somebody who manages invitations. */
@Injectable()
export class InvitationFacts {
  constructor(
    private readonly directory: Directory,
    @Inject(MAIL_LIMITS) private readonly limits: MailLimits,
  ) {}

  of(by: CommandContext): ManagerFacts & LimitFacts {
    return { ...managerFacts(by, this.directory), now: Date.now(), limits: this.limits };
  }
}
