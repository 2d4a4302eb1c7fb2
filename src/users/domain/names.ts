import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { MAX_EMAIL, MAX_FULL_NAME } from './users.settings.js';
import type { UsersState } from './users.state.js';

/** The name without white space around it. @throws DomainError for what is no name */
export function checkedName(text: string): string {
  const name = text.trim();
  if (name === '') refuse('NAME_EMPTY');
  if ([...name].length > MAX_FULL_NAME) refuse('NAME_TOO_LONG');
  if (hasForbiddenCharacter(name)) refuse('NAME_INVALID');
  return name;
}

/** Where the organisation wants names unique: no other account that can be used has it, in whatever case. */
export function requireUniqueName(state: UsersState, name: string, userId: number | null = null): void {
  const key = fold(name);
  const isTaken = state.byId.some(
    (user, id) => id !== userId && user.status === 'active' && fold(user.fullName) === key,
  );
  if (isTaken) refuse('NAME_TAKEN');
}

/** Bots that can be used have a name each, whatever the organisation wants of people. */
export const isBotNameTaken = (state: UsersState, name: string, botId: number | null = null): boolean =>
  state.byId.some(
    (user, id) => id !== botId && user.bot !== null && user.status === 'active' && fold(user.fullName) === fold(name),
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
