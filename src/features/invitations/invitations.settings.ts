import {
  featureSettings,
  THAT_ANSWER_CLIENTS,
  THAT_LISTEN,
  trueOrFalse,
  wholeNumber,
} from '../../platform/settings/setting.js';
import type { MailLimits } from './domain/mail-limits.js';

/** Nest token of MailLimits. */
export const MAIL_LIMITS = Symbol('MailLimits');

const perDay = (environment: string, most: number, about: string) =>
  wholeNumber({ environment, about, range: [0, 1_000_000], default: most, commands: THAT_ANSWER_CLIENTS });

export const invitationSettings = featureSettings(
  {
    welcomeMessages: trueOrFalse({
      environment: 'ANNALS_WELCOME_MESSAGES',
      about:
        'true: people who join or are added are greeted by a direct message; false: they get none, not even with the words of their invitation',
      default: true,
      commands: THAT_LISTEN,
    }),
    invitationsPerMember: perDay(
      'ANNALS_INVITATIONS_PER_MEMBER',
      100,
      'number of invitations that a member or moderator can have mailed in 24 hours; 0 for no limit',
    ),
    invitationsPerAdministrator: perDay(
      'ANNALS_INVITATIONS_PER_ADMINISTRATOR',
      2000,
      'the same number for an administrator or owner',
    ),
    invitationsPerOrganization: perDay(
      'ANNALS_INVITATIONS_PER_ORGANIZATION',
      5000,
      'the same number for everybody together; also the number of people who can ask to join by links for many',
    ),
    joinsPerLink: perDay(
      'ANNALS_JOINS_PER_LINK',
      500,
      'number of people who can ask to join by one link for many in 24 hours; 0 for no limit',
    ),
    invitationPauseSeconds: wholeNumber({
      environment: 'ANNALS_INVITATION_PAUSE_SECONDS',
      about: 'seconds before an invitation can be mailed again',
      range: [0, 86_400],
      default: 300,
      commands: THAT_ANSWER_CLIENTS,
    }),
  },
  (values) => [
    [
      MAIL_LIMITS,
      {
        member: values.invitationsPerMember,
        administrator: values.invitationsPerAdministrator,
        organization: values.invitationsPerOrganization,
        link: values.joinsPerLink,
        pause: values.invitationPauseSeconds * 1000,
      } satisfies MailLimits,
    ],
  ],
);
