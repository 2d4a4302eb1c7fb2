import { refuse } from '../../../platform/kernel/deciding.js';

/** A user named in a request. */
export interface Principal {
  readonly id: number;
  readonly isActive: boolean;
}

/**
 * Finds the users of a request: the named users, once each, or the caller if none is named.
 * @param named ids or addresses; null if none is named
 * @param found accounts in the order of `named`; null for an unknown account
 */
export function requirePrincipals<P extends Principal>(
  named: readonly (number | string)[] | null,
  found: readonly (P | null)[],
  caller: P,
): readonly P[] {
  if (named === null) return [caller];
  const principals = named.map((name, index) => requirePrincipal(name, found[index]));
  return [...new Map(principals.map((principal) => [principal.id, principal])).values()];
}

function requirePrincipal<P extends Principal>(named: number | string, found: P | null | undefined): P {
  if (!found)
    return typeof named === 'number'
      ? refuse('INVALID_USER_ID', { userId: named })
      : refuse('INVALID_EMAIL', { email: named });
  if (!found.isActive) refuse('PRINCIPAL_DEACTIVATED');
  return found;
}
