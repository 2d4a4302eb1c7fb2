import { MAX_EMAIL, MAX_FULL_NAME } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { UsersState } from './users.state.js';

/** Trims and checks a name. @throws DomainError for an invalid name */
export function checkedName(text: string): string {
  const name = text.trim();
  if (name === '') refuse('NAME_EMPTY');
  if ([...name].length > MAX_FULL_NAME) refuse('NAME_TOO_LONG');
  if (hasForbiddenCharacter(name)) refuse('NAME_INVALID');
  return name;
}

/** Refuses a name that another active account has, in any case. */
export function requireUniqueName(state: UsersState, name: string, userId: number | null = null): void {
  const key = foldCase(name);
  const isTaken = state.byId.some(
    (user, id) => id !== userId && user.status === 'active' && foldCase(user.fullName) === key,
  );
  if (isTaken) refuse('NAME_TAKEN');
}

/** Tells whether another active bot has the name. Bots have unique names even if the organization does not require them. */
export const isBotNameTaken = (state: UsersState, name: string, botId: number | null = null): boolean =>
  state.byId.some(
    (user, id) =>
      id !== botId && user.bot !== null && user.status === 'active' && foldCase(user.fullName) === foldCase(name),
  );

/** Accepts one @ with text on both sides and no invisible characters. Only a confirmation mail could check more. */
export const isAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL && /^[^\s\p{C}@<>",:;\\]+@[^\s\p{C}@<>",:;\\]+$/u.test(text);

/** Refuses what is no address, and an address that another account has. */
export function requireFreeAddress(state: UsersState, email: string, userId: number): void {
  if (!isAddress(email)) refuse('INVALID_NEW_EMAIL', { email });
  if ((state.idByEmail.get(foldCase(email)) ?? userId) !== userId) refuse('EMAIL_TAKEN', { email });
}

/** Forbids characters that end or confuse a mention, and invisible characters, which make different names look the same. */
function hasForbiddenCharacter(name: string): boolean {
  return /[*`\\>"@\p{C}]|\|\d+$/u.test(name);
}
