import { Controller, Delete, Get, Post } from '@nestjs/common';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import type { InvitationTerms } from '../../../events/invitations/invitations.events.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  Ids,
  JsonOrNull,
  JsonText,
  OptionalFlag,
  OptionalIds,
  TextOrNull,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { PreviewWelcome } from '../commands/invitations.handlers.js';
import { ResendInvitation, RevokeInvitation, RevokeInvitationLink } from '../domain/manage-invitation.js';
import { CreateInvitationLink, SendInvitations } from '../domain/send-invitations.js';
import { GetInvitationLinkUrl, GetInvitations, type InvitationForClients } from '../queries/invitations.queries.js';

/** 10 days. */
const DEFAULT_VALIDITY_MINUTES = 14_400;
/** Ten years: no invitation is waited for so long, and a mail can spell the date. One that never ends has null. */
const MAX_VALIDITY_MINUTES = 5_256_000;
const MAX_WELCOME_TEXT = 8000;

class TermsParameters {
  /** null: never. */
  @JsonOrNull()
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_VALIDITY_MINUTES)
  readonly invite_expires_in_minutes: number | null = DEFAULT_VALIDITY_MINUTES;

  @JsonText() @IsOptional() @IsIn(Object.values(ROLES)) readonly invite_as: Role = ROLES.member;
  @OptionalIds() readonly group_ids: readonly number[] = [];
  @OptionalFlag() readonly include_realm_default_subscriptions: boolean = false;

  /** null: the organization's. */
  @TextOrNull()
  @IsOptional()
  @IsString()
  @MaxLength(MAX_WELCOME_TEXT)
  readonly welcome_message_custom_text: string | null = null;
}

/** `POST /invites/multiuse` */
class InvitationLinkParameters extends TermsParameters {
  @OptionalIds() readonly stream_ids: readonly number[] = [];
}

/** `POST /invites` */
class InvitationParameters extends TermsParameters {
  @IsString() readonly invitee_emails!: string;
  @Ids() readonly stream_ids!: readonly number[];
  @OptionalFlag() readonly notify_referrer_on_join: boolean = true;
}

const termsOf = (parameters: InvitationParameters | InvitationLinkParameters): InvitationTerms => ({
  role: parameters.invite_as,
  channelIds: [...new Set(parameters.stream_ids)],
  groupIds: [...new Set(parameters.group_ids)],
  withDefaultChannels: parameters.include_realm_default_subscriptions,
});

/** Milliseconds since 1970; null: never. */
const expiryOf = (
  { invite_expires_in_minutes: minutes }: Pick<InvitationParameters, 'invite_expires_in_minutes'>,
  now = Date.now(),
): number | null => (minutes === null ? null : now + minutes * 60_000);

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

/** `POST /realm/test_welcome_bot_custom_message` */
class PreviewWelcomeParameters {
  @IsString() @MaxLength(MAX_WELCOME_TEXT) readonly welcome_message_custom_text!: string;
}

@Controller('realm/test_welcome_bot_custom_message')
export class PreviewWelcomeController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  async preview(
    @Caller() { user, by }: Caller,
    @Parameters() { welcome_message_custom_text: text }: PreviewWelcomeParameters,
  ): Promise<{ message_id: number }> {
    const command = new PreviewWelcome({ callerId: user._id, text, by });
    return { message_id: await this.dispatch.do(command) };
  }
}
