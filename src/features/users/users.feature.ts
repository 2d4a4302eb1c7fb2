import type { Feature } from '../feature.js';
import { invitedAccount } from './consequences/invited-account.js';
import {
  deactivationNotice,
  emailChangedNotice,
  emailChangeMail,
  emailChangeNotice,
  passwordResetMail,
} from './reactors/account-mails.js';
import { userRefusals } from './users.refusals.js';
import { userSettings } from './users.settings.js';

export const usersFeature = {
  name: 'users',
  refusals: userRefusals,
  settings: userSettings,
  consequences: [invitedAccount],
  reactors: [deactivationNotice, emailChangeMail, emailChangeNotice, emailChangedNotice, passwordResetMail],
  pages: ['/accounts'],
  describes: () => import('./http/users.descriptions.js'),
  api: [
    () => import('./services/account-link-sweeper.js'),
    () => import('./commands/account-link.handlers.js'),
    () => import('./services/api-key-sweeper.js'),
    () => import('./commands/change-own-account.handler.js'),
    () => import('./commands/users.handlers.js'),
    () => import('./commands/api-keys.handlers.js'),
    () => import('./services/users-stream.js'),
    () => import('./http/users.controller.js'),
    () => import('./http/account-pages.controller.js'),
    () => import('./http/api-keys.controller.js'),
    () => import('./http/bots.controller.js'),
    () => import('./http/session.controller.js'),
    () => import('./queries/account-links.queries.js'),
    () => import('./queries/bots.queries.js'),
    () => import('./queries/api-keys.queries.js'),
    () => import('./queries/users.queries.js'),
    () => import('./users.client-events.js'),
    () => import('./users.register.js'),
  ],
} as const satisfies Feature;
