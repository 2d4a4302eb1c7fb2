import { accountLinks } from '../../../projections/account-links/account-links.projection.js';
import type { AccountLinkEnded } from '../../events/users/account-links.events.js';
import { erasure } from '../../platform/consumers/erasure.js';

export const userErasures = [
  erasure<AccountLinkEnded>({ on: 'AccountLinkEnded', keyId: ({ data }) => data.keyId, heldBy: [accountLinks] }),
];
