import type { Feature } from '../feature.js';
import { completion } from './consequences/completion.js';
import { addressMovedTo, addressTaken, inviterDeparture, lateInvitation, lateLink } from './consequences/ends.js';
import { invitationRefusals } from './invitations.refusals.js';
import { invitationMail, joinConfirmationMail, repeatedInvitationMail } from './reactors/invitation-mails.js';
import { refusedInvitationMails } from './reactors/refused-mail.js';

export const invitationsFeature = {
  name: 'invitations',
  refusals: invitationRefusals,
  consequences: [completion, inviterDeparture, lateInvitation, lateLink, addressTaken, addressMovedTo],
  reactors: [invitationMail, repeatedInvitationMail, joinConfirmationMail],
  refusedMails: [refusedInvitationMails],
  pages: ['/accounts', '/join'],
  api: () => import('./invitations.api.js'),
} as const satisfies Feature;
