import type { Feature } from '../feature.js';
import { completion } from './consequences/completion.js';
import { addressMovedTo, addressTaken, inviterDeparture, lateInvitation, lateLink } from './consequences/ends.js';
import { invitationRefusals } from './invitations.refusals.js';
import { invitationSettings } from './invitations.settings.js';
import {
  invitationMail,
  joinConfirmationMail,
  refusedInvitationMails,
  repeatedInvitationMail,
} from './reactors/invitation-mails.js';

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
    () => import('./commands/invitations.handlers.js'),
    () => import('./services/expired-invitation-sweeper.js'),
    () => import('./http/invitations.controller.js'),
    () => import('./http/join.controller.js'),
    () => import('./log/get-invitation-links.handler.js'),
    () => import('./queries/invitations.queries.js'),
  ],
} as const satisfies Feature;
