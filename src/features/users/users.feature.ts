import type { Feature } from '../feature.js';
import { invitedAccount } from './consequences/invited-account.js';
import {
  emailChangedNotice,
  emailChangeMail,
  emailChangeNotice,
  passwordResetMail,
} from './reactors/account-link-mails.js';
import { deactivationNotice } from './reactors/deactivation-notice.js';
import { userRefusals } from './users.refusals.js';

export const usersFeature = {
  name: 'users',
  refusals: userRefusals,
  consequences: [invitedAccount],
  reactors: [deactivationNotice, emailChangeMail, emailChangeNotice, emailChangedNotice, passwordResetMail],
  pages: ['/accounts'],
  api: () => import('./users.api.js'),
} as const satisfies Feature;
