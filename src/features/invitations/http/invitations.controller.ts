import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateInvitationLink } from '../domain/create-invitation-link.js';
import { ResendInvitation, RevokeInvitation, RevokeInvitationLink } from '../domain/manage-invitation.js';
import { SendInvitations } from '../domain/send-invitations.js';
import { GetInvitationLinkUrl, GetInvitations, type InvitationForClients } from '../queries/get-invitations.handler.js';
import { expiryOf, InvitationLinkParameters, InvitationParameters, termsOf } from './invitations.parameters.js';

@Controller('invites')
export class InvitationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ invites: readonly InvitationForClients[] }> {
    return { invites: await this.queries.execute(new GetInvitations({ reader: user })) };
  }

  @Post()
  async send(
    @Caller() caller: Caller,
    @Parameters(InvitationParameters) parameters: InvitationParameters,
  ): Promise<void> {
    const options = {
      expiresAt: expiryOf(parameters),
      notifiesInviter: parameters.notify_referrer_on_join,
      welcomeText: parameters.welcome_message_custom_text,
    };
    const { invitee_emails } = parameters;
    const by = commandContext(caller);
    await this.commands.execute(
      new SendInvitations({
        inviterId: caller.user._id,
        invitees: invitee_emails,
        terms: termsOf(parameters),
        options,
        by,
      }),
    );
  }

  @Post('multiuse')
  async createLink(
    @Caller() caller: Caller,
    @Parameters(InvitationLinkParameters) parameters: InvitationLinkParameters,
  ): Promise<{ invite_link: string }> {
    const options = { expiresAt: expiryOf(parameters), welcomeText: parameters.welcome_message_custom_text };
    const command = new CreateInvitationLink({
      inviterId: caller.user._id,
      terms: termsOf(parameters),
      options,
      by: commandContext(caller),
    });
    const keyId = await this.commands.execute(command);
    return { invite_link: await this.queries.execute(new GetInvitationLinkUrl({ keyId })) };
  }

  @Delete('multiuse/:invite_id')
  async revokeLink(@Caller() caller: Caller, @PathId('invite_id') id: number): Promise<void> {
    await this.commands.execute(new RevokeInvitationLink({ invitationId: id, by: commandContext(caller) }));
  }

  @Delete(':invite_id')
  async revoke(@Caller() caller: Caller, @PathId('invite_id') id: number): Promise<void> {
    await this.commands.execute(new RevokeInvitation({ invitationId: id, by: commandContext(caller) }));
  }

  @Post(':invite_id/resend')
  async resend(@Caller() caller: Caller, @PathId('invite_id') id: number): Promise<void> {
    await this.commands.execute(new ResendInvitation({ invitationId: id, by: commandContext(caller) }));
  }
}
