import { refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { isAddress } from '../../users/domain/names.js';

/** The account that an address has already. */
export type AccountOfAddress = 'active' | 'deactivated' | 'system bot' | null;

/** An address that is not invited, as clients are told: address, reason, whether its account is deactivated. */
export type InviteeError = readonly [email: string, reason: string, isDeactivated: boolean];

/**
 * The addresses in a text, separated by commas and line breaks, without blanks and duplicates. `Name <address>` counts
 * as the address.
 */
export function addressesIn(text: string): string[] {
  const byKey = new Map<string, string>();
  for (const part of text.split(/[,\n\r]/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim();
    const key = foldCase(address);
    if (address !== '' && !byKey.has(key)) byKey.set(key, address);
  }
  return [...byKey.values()];
}

/** Parts the addresses into those that get an invitation and those that already have accounts. */
export function partedByAccount(
  emails: readonly string[],
  accountOf: (email: string) => AccountOfAddress,
): { readonly invited: readonly string[]; readonly errors: readonly InviteeError[] } {
  const errors = emails.flatMap((email) => accountError(email, accountOf(email)) ?? []);
  const failed = new Set(errors.map(([email]) => email));
  return { invited: emails.filter((email) => !failed.has(email)), errors };
}

/** The malformed addresses. One of them prevents all invitations. */
export const malformedIn = (emails: readonly string[]): InviteeError[] =>
  emails.filter((email) => !isAddress(email)).map((email) => [email, 'Invalid address.', false] as const);

/** @throws DomainError INVITATION_FAILED always */
export const refuseInvitees = (summary: string, errors: readonly InviteeError[], sent: boolean): never =>
  fail(summary, errors, { sent, isLimitReached: false });

/** @throws DomainError INVITATION_FAILED always, with `daily_limit_reached` */
export const refuseLimitReached = (summary: string): never => fail(summary, [], { sent: false, isLimitReached: true });

function fail(
  summary: string,
  errors: readonly InviteeError[],
  { sent, isLimitReached }: { readonly sent: boolean; readonly isLimitReached: boolean },
): never {
  return refuse('INVITATION_FAILED', {
    summary,
    errors,
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: isLimitReached,
  });
}

/** The address has an invitation that the inviter may not replace. It was mailed again. */
export const mailedAgain = (email: string): InviteeError => [
  email,
  'Is invited already. That invitation was mailed again.',
  false,
];

/** Nothing was mailed to the address. */
export const mailedTooOften = (email: string): InviteeError => [
  email,
  'Has been mailed an invitation already. Try again later.',
  false,
];

/** @throws DomainError INVITATION_FAILED if some addresses were not invited; the others were */
export function requireAllInvited(ofAccounts: readonly InviteeError[], ofInvited: readonly InviteeError[]): void {
  if (ofInvited.length > 0)
    refuseInvitees('Some of those addresses were not invited anew.', [...ofAccounts, ...ofInvited], true);
  if (ofAccounts.length === 0) return;
  const summary =
    "Some of those addresses already have accounts, so we didn't send them an invitation. " +
    'We did send invitations to everyone else!';
  refuseInvitees(summary, ofAccounts, true);
}

function accountError(email: string, account: AccountOfAddress): readonly [InviteeError] | null {
  switch (account) {
    case null:
      return null;
    case 'active':
      return [[email, 'Already has an account.', false]];
    case 'deactivated':
      return [[email, 'Account has been deactivated.', true]];
    case 'system bot':
      return [[email, 'Reserved for system bots.', false]];
    default:
      return account satisfies never;
  }
}
