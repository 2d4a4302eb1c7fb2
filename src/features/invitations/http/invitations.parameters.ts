import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { InvitationTerms } from '../../../events/invitations/invitations.events.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import {
  Ids,
  JsonOrNull,
  JsonText,
  OptionalFlag,
  OptionalIds,
  TextOrNull,
} from '../../../platform/http/parameters/parameter-decorators.js';

/** 10 days. */
const DEFAULT_VALIDITY_MINUTES = 14_400;
/** Ten years: no invitation is waited for so long, and a mail can spell the date. One that never ends has null. */
const MAX_VALIDITY_MINUTES = 5_256_000;
export const MAX_WELCOME_TEXT = 8000;

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
export class InvitationLinkParameters extends TermsParameters {
  @OptionalIds() readonly stream_ids: readonly number[] = [];
}

/** `POST /invites` */
export class InvitationParameters extends TermsParameters {
  @IsString() readonly invitee_emails!: string;
  @Ids() readonly stream_ids!: readonly number[];
  @OptionalFlag() readonly notify_referrer_on_join: boolean = true;
}

export const termsOf = (parameters: InvitationParameters | InvitationLinkParameters): InvitationTerms => ({
  role: parameters.invite_as,
  channelIds: [...new Set(parameters.stream_ids)],
  groupIds: [...new Set(parameters.group_ids)],
  withDefaultChannels: parameters.include_realm_default_subscriptions,
});

/** Milliseconds since 1970; null: never. */
export const expiryOf = (
  { invite_expires_in_minutes: minutes }: Pick<InvitationParameters, 'invite_expires_in_minutes'>,
  now = Date.now(),
): number | null => (minutes === null ? null : now + minutes * 60_000);
