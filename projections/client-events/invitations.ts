import type { InvitationEvent, RevocationReason } from '../../src/events/invitations/invitations.events.js';
import { ROLES } from '../../src/events/shared/role.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Change, EventHandlers, OwnDocuments } from '../../src/platform/read-models/projection.js';
import { staticClientEvent } from './client-event.js';
import { written } from './written.js';

/** Has no fields: clients fetch the list again. */
export const invitesChanged = staticClientEvent<Record<string, never>>()({ kind: 'invites_changed', rank: 1024 });

/** Tells administrators, bots included, and the inviter. */
const changed = (
  event: Recorded<InvitationEvent & { readonly data: { readonly inviterId: number } }>,
  documents: OwnDocuments,
): Promise<readonly Change[]> => {
  const audience = { roles: [ROLES.owner, ROLES.administrator], userIds: [event.data.inviterId] };
  return written(event, documents, [invitesChanged.of(event, audience, {})]);
};

const SILENT: ReadonlySet<RevocationReason> = new Set(['replaced', 'link ended']);

const untold = (event: Recorded, documents: OwnDocuments): Promise<readonly Change[]> => written(event, documents, []);

/**
 * Clients are told once of all invitations of a request, with its last one. A resent invitation, a confirmation and the
 * passing of time change nothing that clients are told.
 */
export const invitationRules: EventHandlers<InvitationEvent> = {
  InvitationSent: (event, documents) => (event.data.followedBy > 0 ? untold : changed)(event, documents),
  InvitationLinkCreated: changed,
  // The invitation that replaces another tells of both, and a link tells of its confirmations.
  InvitationRevoked: (event, documents) =>
    (SILENT.has(event.data.reason) || event.data.followedBy > 0 ? untold : changed)(event, documents),
  InvitationMailRefused: changed,
  InvitationAccepted: changed,
};
