import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Facts } from '../../../directory/facts.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Links } from '../../../platform/links/links.js';
import { ConfirmJoin, decideConfirmJoin } from '../domain/confirm-join.js';
import type { MailLimits } from '../domain/mail-limits.js';
import { MAIL_LIMITS } from '../invitations.settings.js';
import { accountOf, invitersIn } from '../queries/inviter-facts.js';
import { linkByHash } from '../queries/usable-link.js';
import { invitationsStream } from './invitations-stream.js';

@CommandHandler(ConfirmJoin)
export class ConfirmJoinHandler implements ICommandHandler<ConfirmJoin> {
  constructor(
    private readonly facts: Facts,
    private readonly decisions: Decisions,
    private readonly links: Links,
    @Inject(MAIL_LIMITS) private readonly limits: MailLimits,
  ) {}

  async execute(command: ConfirmJoin): Promise<void> {
    const { directory } = this.facts;
    const { welcomeText } = (await linkByHash(command.tokenHash, this.facts.readModels)) ?? refuse('LINK_UNUSABLE');
    await this.links.withNew(1, async ([link]) => {
      if (!link) throw new Error('no key for a link');
      const facts = {
        now: Date.now(),
        hasAccount: accountOf(command.email, directory) !== null,
        inviter: invitersIn(directory),
        link,
        welcomeText,
        limits: this.limits,
      };
      return (await this.decisions.decide(invitationsStream, decideConfirmJoin, command, facts)).events;
    });
  }
}
