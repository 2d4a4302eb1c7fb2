import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { InvitationEvent, InvitationTerms, NewAccount } from '../../../events/invitations/invitations.events.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { uniqueNamesIn } from '../../users/commands/caller-facts.js';
import { hashPassword, NOT_HASHED } from '../../users/commands/passwords.js';
import { PasswordRule } from '../../users/domain/password.js';
import { AcceptInvitation, decideAcceptInvitation } from '../domain/accept-invitation.js';
import type { InvitationsState } from '../domain/invitations.state.js';
import { accountOf, invitersIn } from '../queries/inviter-facts.js';
import { invitationsStream } from './invitations-stream.js';

/** Answers when the account can log in. The account is made by a process manager, so a crash in between loses nothing. */
@CommandHandler(AcceptInvitation)
export class AcceptInvitationHandler implements ICommandHandler<AcceptInvitation> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly passwords: PasswordRule,
  ) {}

  async execute(command: AcceptInvitation): Promise<void> {
    const { directory } = this;
    const { email, fullName, password } = command.applicant;
    const name = foldCase(fullName.trim());
    const facts = {
      now: Date.now(),
      passwordHash: NOT_HASHED,
      passwords: this.passwords,
      isNameTaken: uniqueNamesIn(directory) && directory.usersNamed(name).some(({ isActive }) => isActive),
      hasAccount: accountOf(email, directory) !== null,
      inviter: invitersIn(directory),
      account: (terms: InvitationTerms) => accountWith(terms, directory),
    };
    const stream = streamOf(command);
    await this.decisions.check(stream, decideAcceptInvitation, command, facts);
    const passwordHash = await hashPassword(password);
    await this.decisions.decide(stream, decideAcceptInvitation, command, { ...facts, passwordHash });
  }
}

/** The acceptance is sealed under the key of its link. */
const streamOf = ({ tokenHash }: AcceptInvitation): CommandStream<InvitationsState, InvitationEvent> => ({
  ...invitationsStream,
  sealedWith: {
    keyId: ({ byId, idByTokenHash }) => byId.get(idByTokenHash.get(tokenHash) ?? 0)?.keyId ?? refuse('LINK_UNUSABLE'),
    whenGone: () => refuse('LINK_UNUSABLE'),
  },
});

function accountWith(terms: InvitationTerms, directory: Directory): NewAccount {
  const defaults = terms.withDefaultChannels ? (directory.organization?.defaultChannelIds ?? []) : [];
  const channelIds = [...new Set([...terms.channelIds, ...defaults])];
  return {
    role: terms.role,
    channelIds: channelIds.filter((id) => directory.channel(id)?.isArchived === false),
    groupIds: terms.groupIds.filter((id) => directory.groups.group(id)?.isDeactivated === false),
  };
}
