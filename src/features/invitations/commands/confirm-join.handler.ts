import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Links } from '../../../platform/links/links.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { ConfirmJoin, decideConfirmJoin } from '../domain/confirm-join.js';
import type { MailLimits } from '../domain/mail-limits.js';
import { accountOf, invitersIn } from '../queries/inviter-facts.js';
import { linkByHash } from '../queries/usable-link.js';
import { MAIL_LIMITS } from './invitation-facts.js';
import { invitationsStream } from './invitations-stream.js';

@CommandHandler(ConfirmJoin)
export class ConfirmJoinHandler implements ICommandHandler<ConfirmJoin> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly links: Links,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(MAIL_LIMITS) private readonly limits: MailLimits,
  ) {}

  async execute(command: ConfirmJoin): Promise<void> {
    const { directory } = this;
    const { welcomeText } = (await linkByHash(command.tokenHash, this.readModels)) ?? refuse('LINK_UNUSABLE');
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
