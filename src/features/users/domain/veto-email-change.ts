import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { linkEnded, usableLink } from './account-links.js';
import type { UsersState } from './users.state.js';

/** Ends the request for a new address, by the link in the mail to the present one. */
export class VetoEmailChange extends Command<{
  /** SHA-256 of the link's token, hexadecimal. */
  vetoHash: string;
}> {}

export interface VetoEmailChangeFacts {
  /** Hash of the token that confirms the new address; null if there is no such link. */
  readonly tokenHash: string | null;
  readonly now: number;
}

/** Refuses with LINK_UNUSABLE. */
export const decideVetoEmailChange: Decide<VetoEmailChange, UsersState, AccountLinkEnded, VetoEmailChangeFacts> = (
  { vetoHash },
  state,
  { tokenHash, now },
) => {
  if (tokenHash === null) refuse('LINK_UNUSABLE');
  const link = usableLink(state, tokenHash, 'email', now);
  if (link.vetoHash !== vetoHash) refuse('LINK_UNUSABLE');
  return [linkEnded(link, 'vetoed')];
};
