import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import {
  INVITATIONS_STREAM,
  type InvitationEvent,
  type InvitationTerms,
  type NewAccount,
} from '../../../events/invitations/invitations.events.js';
import { WELCOME_BOT } from '../../../events/shared/system-bots.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import { Command, type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { Links, type NewLink } from '../../../platform/links/links.js';
import { NoticeSending } from '../../messages/services/notice-sending.js';
import { uniqueNamesIn } from '../../users/commands/caller-facts.js';
import { hashPassword, NOT_HASHED } from '../../users/commands/passwords.js';
import { NewAccountSources } from '../../users/services/users-stream.js';
import {
  AcceptInvitation,
  ConfirmJoin,
  decideAcceptInvitation,
  decideConfirmJoin,
} from '../domain/accept-invitation.js';
import { type InvitationsState, invitations } from '../domain/invitations.state.js';
import { addressesIn, partedByAccount, requireAllInvited } from '../domain/invitees.js';
import type { LimitFacts, MailLimits } from '../domain/mail-limits.js';
import {
  decideExpireInvitations,
  decideResendInvitation,
  decideRevokeInvitation,
  decideRevokeInvitationLink,
  ExpireInvitations,
  type ManagerFacts,
  ResendInvitation,
  RevokeInvitation,
  RevokeInvitationLink,
} from '../domain/manage-invitation.js';
import {
  CreateInvitationLink,
  decideCreateInvitationLink,
  decideSendInvitations,
  notInvitedAnew,
  SendInvitations,
  type SendInvitationsFacts,
} from '../domain/send-invitations.js';
import { MAIL_LIMITS } from '../invitations.settings.js';
import { accountAt, inviterFacts, invitersIn, linkByHash, managerFacts } from '../queries/invitations.queries.js';

export const invitationsStream: CommandStream<InvitationsState, InvitationEvent> = {
  stream: INVITATIONS_STREAM,
  decider: invitations,
  expects: 'any',
};

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

const stream = invitationsStream;
const uses = InvitationFacts;
const facts = ({ by }: RevokeInvitation | RevokeInvitationLink | ResendInvitation, source: InvitationFacts) =>
  source.of(by);

/** The acceptance is sealed under the key of its link. */
const streamOf = ({ tokenHash }: AcceptInvitation): CommandStream<InvitationsState, InvitationEvent> => ({
  ...invitationsStream,
  sealedWith: {
    keyId: ({ byId, idByTokenHash }) => byId.get(idByTokenHash.get(tokenHash) ?? 0)?.keyId ?? refuse('LINK_UNUSABLE'),
    whenGone: () => refuse('LINK_UNUSABLE'),
  },
});

export const invitationHandlers = [
  decidesOn(RevokeInvitation, { stream, decide: decideRevokeInvitation, uses, facts }),
  decidesOn(RevokeInvitationLink, { stream, decide: decideRevokeInvitationLink, uses, facts }),
  decidesOn(ResendInvitation, { stream, decide: decideResendInvitation, uses, facts }),
  // Answers when the account can log in. A process manager makes the account, so a crash in between loses nothing.
  decidesOn(AcceptInvitation, {
    stream: streamOf,
    decide: decideAcceptInvitation,
    uses: NewAccountSources,
    facts: ({ applicant: { email, fullName } }, { directory, passwords }) => ({
      now: Date.now(),
      passwordHash: NOT_HASHED,
      passwords,
      isNameTaken:
        uniqueNamesIn(directory) && directory.usersNamed(foldCase(fullName.trim())).some(({ isActive }) => isActive),
      hasAccount: accountAt(email, directory) !== null,
      inviter: invitersIn(directory),
      account: (terms) => accountWith(terms, directory),
    }),
    costlyFacts: async ({ applicant }, facts) => ({ ...facts, passwordHash: await hashPassword(applicant.password) }),
  }),
  decidesOn(ExpireInvitations, { stream, decide: decideExpireInvitations, facts: () => ({ now: Date.now() }) }),
];

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
      accountOf: (email) => accountAt(email, directory),
    };
  }
}

const NO_LINK: NewLink = { keyId: '', tokenHash: '' };

@CommandHandler(CreateInvitationLink)
export class CreateInvitationLinkHandler implements ICommandHandler<CreateInvitationLink> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly links: Links,
  ) {}

  async execute(command: CreateInvitationLink): Promise<string> {
    const facts = inviterFacts(command.inviterId, 'create_multiuse_invite_group', this.directory);
    const [created] = await this.links.withNew(1, async ([link]) => {
      if (!link) throw new Error('no key for a link');
      const decide = decideCreateInvitationLink;
      return (await this.decisions.decide(invitationsStream, decide, command, { ...facts, link })).events;
    });
    if (!created) throw new Error('a link was neither made nor refused');
    return created.data.keyId;
  }
}

function accountWith(terms: InvitationTerms, directory: Directory): NewAccount {
  const defaults = terms.withDefaultChannels ? (directory.organization?.defaultChannelIds ?? []) : [];
  const channelIds = [...new Set([...terms.channelIds, ...defaults])];
  return {
    role: terms.role,
    channelIds: channelIds.filter((id) => directory.channel(id)?.isArchived === false),
    groupIds: terms.groupIds.filter((id) => directory.groups.group(id)?.isDeactivated === false),
  };
}

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
        hasAccount: accountAt(command.email, directory) !== null,
        inviter: invitersIn(directory),
        link,
        welcomeText,
        limits: this.limits,
      };
      return (await this.decisions.decide(invitationsStream, decideConfirmJoin, command, facts)).events;
    });
  }
}

/** Sends an administrator the message with which people who join would be welcomed. */
export class PreviewWelcome extends Command<{ callerId: number; text: string }, number> {}

@CommandHandler(PreviewWelcome)
export class PreviewWelcomeHandler implements ICommandHandler<PreviewWelcome> {
  constructor(
    private readonly directory: Directory,
    private readonly notices: NoticeSending,
  ) {}

  /**
   * @returns the message's id
   * @throws DomainError ADMINISTRATOR_REQUIRED, MESSAGE_EMPTY
   */
  async execute({ callerId, text, by }: PreviewWelcome): Promise<number> {
    const reader = this.directory.existingUser(callerId);
    if (!may(reader, 'administer', this.directory)) refuse('ADMINISTRATOR_REQUIRED');
    const shown = text.trimEnd();
    if (shown === '') refuse('MESSAGE_EMPTY');
    const key = `welcome preview ${newEventId()}`;
    return this.notices.send({ key, reader, sender: WELCOME_BOT, text: async () => shown, by });
  }
}
