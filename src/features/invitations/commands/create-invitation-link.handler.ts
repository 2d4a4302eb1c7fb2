import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { Links } from '../../../platform/links/links.js';
import { CreateInvitationLink, decideCreateInvitationLink } from '../domain/create-invitation-link.js';
import { inviterFacts } from '../queries/inviter-facts.js';
import { invitationsStream } from './invitations-stream.js';

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
