import { IsIn, IsInt, Max, Min } from 'class-validator';
import { type CommandName, FromSetting, trueOrFalse, wholeNumber } from './config-setting.js';
import { MailConfig } from './mail-config.js';

const THAT_INVITE: readonly CommandName[] = ['start', 'api'];

const MOST = 1_000_000;
const allowed = `a whole number from 0 to ${MOST}`;

/** What new people are told, and limits of the mails that invitations cause. */
export class InvitationConfig extends MailConfig {
  @FromSetting(
    {
      environment: 'ANNALS_WELCOME_MESSAGES',
      flag: '--welcome-messages <true|false>',
      about:
        'true: people who join or are added are greeted by a direct message; false: they get none, not even with the words of their invitation',
      allowed: 'true or false',
      default: 'true',
      commands: ['start', 'api', 'projections'],
    },
    trueOrFalse,
  )
  @IsIn([true, false])
  readonly welcomeMessages!: boolean;

  @FromSetting(
    {
      environment: 'ANNALS_INVITATIONS_PER_MEMBER',
      flag: '--invitations-per-member <number>',
      about: 'number of invitations that a member or moderator can have mailed in 24 hours; 0 for no limit',
      allowed,
      default: '100',
      commands: THAT_INVITE,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(MOST)
  readonly invitationsPerMember!: number;

  @FromSetting(
    {
      environment: 'ANNALS_INVITATIONS_PER_ADMINISTRATOR',
      flag: '--invitations-per-administrator <number>',
      about: 'the same number for an administrator or owner',
      allowed,
      default: '2000',
      commands: THAT_INVITE,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(MOST)
  readonly invitationsPerAdministrator!: number;

  @FromSetting(
    {
      environment: 'ANNALS_INVITATIONS_PER_ORGANIZATION',
      flag: '--invitations-per-organization <number>',
      about: 'the same number for everybody together; also the number of people who can ask to join by links for many',
      allowed,
      default: '5000',
      commands: THAT_INVITE,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(MOST)
  readonly invitationsPerOrganization!: number;

  @FromSetting(
    {
      environment: 'ANNALS_JOINS_PER_LINK',
      flag: '--joins-per-link <number>',
      about: 'number of people who can ask to join by one link for many in 24 hours; 0 for no limit',
      allowed,
      default: '500',
      commands: THAT_INVITE,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(MOST)
  readonly joinsPerLink!: number;

  @FromSetting(
    {
      environment: 'ANNALS_INVITATION_PAUSE_SECONDS',
      flag: '--invitation-pause-seconds <number>',
      about: 'seconds before an invitation can be mailed again',
      allowed: 'a whole number from 0 to 86400',
      default: '300',
      commands: THAT_INVITE,
    },
    wholeNumber,
  )
  @IsInt()
  @Min(0)
  @Max(86_400)
  readonly invitationPauseSeconds!: number;
}
