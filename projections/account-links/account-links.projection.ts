import type { AccountLinkEvent, AccountLinkPurpose } from '../../src/events/users/account-links.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { insert, projection } from '../../src/platform/read-models/projection.js';

/** A link that was mailed and is not used yet. It may be too old. */
export interface AccountLinkDocument extends StoredDocument {
  /** SHA-256 of the link's token, hexadecimal. */
  readonly _id: string;
  readonly userId: number;
  readonly purpose: AccountLinkPurpose;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The new address; absent for a new password. */
  readonly email?: string;
  /** Hash of the token that ends the request for a new address. */
  readonly vetoHash?: string;
  readonly position: Position;
}

export const ACCOUNT_LINKS = 'links';

/** Links by which people change their address or password. A link whose key is destroyed is left out. */
export const accountLinks = projection<AccountLinkEvent>({
  name: 'account-links',
  version: 2,
  holdsContent: true,
  collections: { [ACCOUNT_LINKS]: { indexes: [{ keys: { expiresAt: 1 } }, { keys: { vetoHash: 1 } }] } },
  on: {
    EmailChangeRequested: ({ data: { tokenHash: _id, userId, expiresAt, address, vetoHash }, position }) => {
      if (address === null) return [];
      const { email } = address;
      const link: AccountLinkDocument = { _id, userId, purpose: 'email', expiresAt, email, position };
      return [insert(ACCOUNT_LINKS, vetoHash === null ? link : { ...link, vetoHash })];
    },
    PasswordResetRequested: ({ data: { tokenHash: _id, userId, expiresAt }, position }) => {
      const link: AccountLinkDocument = { _id, userId, purpose: 'password', expiresAt, position };
      return [insert(ACCOUNT_LINKS, link)];
    },
    AccountLinkEnded: ({ data: { tokenHash: _id } }) => [
      { collection: ACCOUNT_LINKS, operation: { deleteOne: { filter: { _id } } } },
    ],
  },
});
