import type { Feature } from '../feature.js';
import { completion } from './consequences/completion.js';
import { addressMovedTo, addressTaken, inviterDeparture, lateInvitation, lateLink } from './consequences/ends.js';
import { invitationRefusals } from './invitations.refusals.js';
import { invitationSettings } from './invitations.settings.js';
import { invitationMail, joinConfirmationMail, repeatedInvitationMail } from './reactors/invitation-mails.js';
import { refusedInvitationMails } from './reactors/refused-mail.js';

export const invitationsFeature = {
  name: 'invitations',
  refusals: invitationRefusals,
  settings: invitationSettings,
  consequences: [completion, inviterDeparture, lateInvitation, lateLink, addressTaken, addressMovedTo],
  reactors: [invitationMail, repeatedInvitationMail, joinConfirmationMail],
  refusedMails: [refusedInvitationMails],
  pages: ['/accounts', '/join'],
  describes: () => import('./http/invitations.descriptions.js'),
  api: [
    () => import('./commands/accept-invitation.handler.js'),
    () => import('./commands/confirm-join.handler.js'),
    () => import('./commands/create-invitation-link.handler.js'),
    () => import('./commands/expired-invitation-sweeper.js'),
    () => import('./commands/invitation-facts.js'),
    () => import('./commands/invitations.handlers.js'),
    () => import('./commands/preview-welcome.handler.js'),
    () => import('./commands/send-invitations.handler.js'),
    () => import('./http/invitations.controller.js'),
    () => import('./http/join.controller.js'),
    () => import('./http/join-mail-limit.js'),
    () => import('./http/preview-welcome.controller.js'),
    () => import('./log/get-invitation-links.handler.js'),
    () => import('./queries/find-link.handler.js'),
    () => import('./queries/get-invitations.handler.js'),
  ],
} as const satisfies Feature;
