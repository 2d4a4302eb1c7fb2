import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { Links, type NewLink } from '../../../platform/links/links.js';
import { addressesIn, partedByAccount, requireAllInvited } from '../domain/invitees.js';
import {
  decideSendInvitations,
  notInvitedAnew,
  SendInvitations,
  type SendInvitationsFacts,
} from '../domain/send-invitations.js';
import { accountOf, inviterFacts } from '../queries/inviter-facts.js';
import { InvitationFacts } from './invitation-facts.js';
import { invitationsStream } from './invitations-stream.js';

@CommandHandler(SendInvitations)
export class SendInvitationsHandler implements ICommandHandler<SendInvitations> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly runner: CommandRunner,
    private readonly links: Links,
    private readonly invitationFacts: InvitationFacts,
  ) {}

  /** @throws DomainError INVITATION_FAILED also after some were invited, if others were not */
  async execute(command: SendInvitations): Promise<void> {
    const { invitees, by } = command;
    const emails = addressesIn(invitees);
    const facts = this.facts(command);
    // Keys are stored only for inviters who may invite.
    const request = { ...invitationsStream, command, by, decide: decideSendInvitations };
    await this.runner.check({ ...request, context: { ...facts, link: () => NO_LINK } });
    const events = await this.links.withNew(emails.length, async (links) => {
      const context = { ...facts, link: (index: number) => links[index] ?? NO_LINK };
      return (await this.decisions.decide(invitationsStream, decideSendInvitations, command, context)).events;
    });
    const { invited, errors } = partedByAccount(emails, facts.accountOf);
    const state = await this.runner.stateOf(invitationsStream);
    requireAllInvited(errors, notInvitedAnew(invited, events, state));
  }

  private facts({ inviterId, by }: SendInvitations): Omit<SendInvitationsFacts, 'link'> {
    const { directory } = this;
    return {
      ...inviterFacts(inviterId, 'can_invite_users_group', directory),
      ...this.invitationFacts.of(by),
      accountOf: (email) => accountOf(email, directory),
    };
  }
}

const NO_LINK: NewLink = { keyId: '', tokenHash: '' };
