import { MAX_EMAIL, MAX_FULL_NAME } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { foldCase } from '../../../platform/kernel/fold-case.js';
import type { UsersState } from './users.state.js';

/** The name without white space around it. @throws DomainError for what is no name */
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

/** One @, something on both sides, nothing that nobody sees: the rest is for a confirmation mail to find out. */
export const isAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL && /^[^\s\p{C}@<>",:;\\]+@[^\s\p{C}@<>",:;\\]+$/u.test(text);

/**
 * Characters that would end or confuse a mention, as an id behind a bar would, and those that nobody sees: with them,
 * two people could look the same.
 */
function hasForbiddenCharacter(name: string): boolean {
  return /[*`\\>"@\p{C}]|\|\d+$/u.test(name);
}
