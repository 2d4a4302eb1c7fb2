import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateInvitationLink } from '../domain/create-invitation-link.js';
import { ResendInvitation, RevokeInvitation, RevokeInvitationLink } from '../domain/manage-invitation.js';
import { SendInvitations } from '../domain/send-invitations.js';
import { GetInvitationLinkUrl, GetInvitations, type InvitationForClients } from '../queries/get-invitations.handler.js';
import { expiryOf, InvitationLinkParameters, InvitationParameters, termsOf } from './invitations.parameters.js';

@Controller('invites')
export class InvitationsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ invites: readonly InvitationForClients[] }> {
    return { invites: await this.dispatch.ask(new GetInvitations({ reader: user })) };
  }

  @Post()
  async send(@Caller() { user, by }: Caller, @Parameters() parameters: InvitationParameters): Promise<void> {
    const options = {
      expiresAt: expiryOf(parameters),
      notifiesInviter: parameters.notify_referrer_on_join,
      welcomeText: parameters.welcome_message_custom_text,
    };
    const { invitee_emails } = parameters;
    await this.dispatch.do(
      new SendInvitations({ inviterId: user._id, invitees: invitee_emails, terms: termsOf(parameters), options, by }),
    );
  }

  @Post('multiuse')
  async createLink(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: InvitationLinkParameters,
  ): Promise<{ invite_link: string }> {
    const options = { expiresAt: expiryOf(parameters), welcomeText: parameters.welcome_message_custom_text };
    const command = new CreateInvitationLink({ inviterId: user._id, terms: termsOf(parameters), options, by });
    const keyId = await this.dispatch.do(command);
    return { invite_link: await this.dispatch.ask(new GetInvitationLinkUrl({ keyId })) };
  }

  @Delete('multiuse/:invite_id')
  async revokeLink(@Caller() { by }: Caller, @PathId('invite_id') id: number): Promise<void> {
    await this.dispatch.do(new RevokeInvitationLink({ invitationId: id, by }));
  }

  @Delete(':invite_id')
  async revoke(@Caller() { by }: Caller, @PathId('invite_id') id: number): Promise<void> {
    await this.dispatch.do(new RevokeInvitation({ invitationId: id, by }));
  }

  @Post(':invite_id/resend')
  async resend(@Caller() { by }: Caller, @PathId('invite_id') id: number): Promise<void> {
    await this.dispatch.do(new ResendInvitation({ invitationId: id, by }));
  }
}
