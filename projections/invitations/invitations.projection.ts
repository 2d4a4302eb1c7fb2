import type { InvitationEvent, InvitationTerms } from '../../src/events/invitations/invitations.events.js';
import type { Role } from '../../src/events/shared/role.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { insert, projection, removal } from '../../src/platform/read-models/projection.js';

/** A pending link. It may be over by time. */
export interface InvitationDocument extends StoredDocument {
  /** The invitation's id. */
  readonly _id: number;
  readonly inviterId: number;
  readonly keyId: string;
  /** SHA-256 of the link's token, hexadecimal. */
  readonly tokenHash: string;
  /** Set for a mailed invitation. */
  readonly mailed?: {
    readonly role: Role;
    readonly email: string;
    readonly notifiesInviter: boolean;
    /** Present if the mail server has refused the last mail for good. */
    readonly isMailRefused?: true;
  };
  /** Set for a link for many. */
  readonly forMany?: InvitationTerms;
  /** Set for the confirmation of somebody who uses a link for many. */
  readonly confirmation?: { readonly role: Role; readonly email: string };
  readonly welcomeText: string | null;
  /** Time of the last mail, or of the link's making; milliseconds since 1970. */
  readonly invitedAt: number;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
  readonly position: Position;
}

export const INVITATIONS = 'invitations';

/** Links that have not ended. One whose key is destroyed is left out. */
export const invitations = projection<InvitationEvent>({
  name: 'invitations',
  version: 4,
  holdsContent: true,
  collections: {
    [INVITATIONS]: { indexes: [{ keys: { inviterId: 1 } }, { keys: { tokenHash: 1 } }, { keys: { expiresAt: 1 } }] },
  },
  prefetch: {
    JoinConfirmationSent: ({ data }) => [[INVITATIONS, data.linkId]],
    InvitationResent: ({ data }) => [[INVITATIONS, data.invitationId]],
    InvitationMailRefused: ({ data }) => [[INVITATIONS, data.invitationId]],
  },
  on: {
    InvitationSent: ({ data, metadata, position }) => {
      const { terms, notifiesInviter, invitee } = data;
      if (invitee === null) return [];
      const { email, welcomeText } = invitee;
      const mailed = { role: terms.role, email, notifiesInviter };
      const own = { ...linkOf(data), mailed, welcomeText, invitedAt: metadata.at, position };
      return [insert(INVITATIONS, own)];
    },
    InvitationLinkCreated: ({ data, metadata, position }) => {
      const { terms, welcome } = data;
      if (welcome === null) return [];
      const own = { ...linkOf(data), forMany: terms, welcomeText: welcome.text, invitedAt: metadata.at, position };
      return [insert(INVITATIONS, own)];
    },
    JoinConfirmationSent: async ({ data, metadata, position }, documents) => {
      if (data.invitee === null) return [];
      const link = await documents.collection<InvitationDocument>(INVITATIONS).findOne({ _id: data.linkId });
      // Without its link for many, nobody can use it.
      if (!link?.forMany) return [];
      const { email, welcomeText } = data.invitee;
      const confirmation = { role: link.forMany.role, email };
      const own = { ...linkOf(data), confirmation, welcomeText, invitedAt: metadata.at, position };
      return [insert(INVITATIONS, own)];
    },
    InvitationResent: async ({ data, metadata, position }, documents) => {
      const before = await documents.collection<InvitationDocument>(INVITATIONS).findOne({ _id: data.invitationId });
      if (!before?.mailed) return [];
      const { isMailRefused: _, ...mailed } = before.mailed;
      const document: InvitationDocument = { ...before, mailed, invitedAt: metadata.at, position };
      return [insert(INVITATIONS, document)];
    },
    InvitationMailRefused: async ({ data, position }, documents) => {
      const before = await documents.collection<InvitationDocument>(INVITATIONS).findOne({ _id: data.invitationId });
      if (!before?.mailed) return [];
      const document: InvitationDocument = { ...before, mailed: { ...before.mailed, isMailRefused: true }, position };
      return [insert(INVITATIONS, document)];
    },
    InvitationRevoked: ({ data }) => [removal(INVITATIONS, data.invitationId)],
    InvitationExpired: ({ data }) => [removal(INVITATIONS, data.invitationId)],
    InvitationAccepted: ({ data }) => [removal(INVITATIONS, data.invitationId)],
    InvitationCompleted: ({ data }) => [removal(INVITATIONS, data.invitationId)],
  },
});

type Link = Pick<InvitationDocument, '_id' | 'inviterId' | 'keyId' | 'tokenHash' | 'expiresAt'>;

const linkOf = ({
  invitationId: _id,
  inviterId,
  keyId,
  tokenHash,
  expiresAt,
}: Omit<Link, '_id'> & { readonly invitationId: number }): Link => ({ _id, inviterId, keyId, tokenHash, expiresAt });
