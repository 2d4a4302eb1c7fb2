import { invitations } from '../../../projections/invitations/invitations.projection.js';
import type {
  InvitationCompleted,
  InvitationExpired,
  InvitationRevoked,
} from '../../events/invitations/invitations.events.js';
import { erasure } from '../../platform/consumers/erasure.js';

const heldBy = [invitations];

/** With its key, a link can no longer be made, and the address of somebody who never joined cannot be read. */
export const invitationErasures = [
  erasure<InvitationRevoked>({ on: 'InvitationRevoked', keyId: ({ data }) => data.keyId, heldBy }),
  erasure<InvitationExpired>({ on: 'InvitationExpired', keyId: ({ data }) => data.keyId, heldBy }),
  erasure<InvitationCompleted>({ on: 'InvitationCompleted', keyId: ({ data }) => data.keyId, heldBy }),
];
