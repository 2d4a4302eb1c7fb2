import { MAX_EMAIL, MAX_FULL_NAME } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { foldCase } from '../../../platform/kernel/fold-case.js';
import type { UsersState } from './users.state.js';

/** Trims a name. @throws DomainError for an invalid name */
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

/** Active bots have distinct names, whatever the organization's setting for people. */
export const isBotNameTaken = (state: UsersState, name: string, botId: number | null = null): boolean =>
  state.byId.some(
    (user, id) =>
      id !== botId && user.bot !== null && user.status === 'active' && foldCase(user.fullName) === foldCase(name),
  );

/** An address: one @, text on both sides, no invisible characters. A confirmation mail would find out the rest. */
export const isAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL && /^[^\s\p{C}@<>",:;\\]+@[^\s\p{C}@<>",:;\\]+$/u.test(text);

/**
 * Forbidden characters: those that would end or confuse a mention, and invisible ones, with which two names could look
 * the same.
 */
function hasForbiddenCharacter(name: string): boolean {
  return /[*`\\>"@\p{C}]|\|\d+$/u.test(name);
}
