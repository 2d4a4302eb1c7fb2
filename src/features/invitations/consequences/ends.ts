import {
  INVITATIONS_STREAM,
  type InvitationEvent,
  type InvitationLinkCreated,
  type InvitationRevoked,
  type InvitationSent,
} from '../../../events/invitations/invitations.events.js';
import {
  USERS_STREAM,
  type UserCreated,
  type UserDeactivated,
  type UserEmailChanged,
} from '../../../events/users/users.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { DomainEvent, Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { users } from '../../users/domain/users.state.js';
import { type InvitationsState, invitations } from '../domain/invitations.state.js';
import {
  decideEndInvitationsOf,
  decideEndInvitationsTo,
  EndInvitationsOf,
  EndInvitationsTo,
} from '../domain/manage-invitation.js';

/** Ends all invitations and links of a deactivated inviter. A reactivation does not bring them back. */
export const inviterDeparture = processManager<UserDeactivated>({
  name: 'inviter-departure',
  on: 'UserDeactivated',
  appends: ['InvitationRevoked'],
  react: (event, runner) => {
    const by = contextOf(event);
    const command = new EndInvitationsOf({ inviterId: event.data.userId, by, only: null });
    return end(event, runner, (state) => decideEndInvitationsOf(command, state, undefined));
  },
});

/** Ends an invitation that was stored while its inviter was deactivated. */
export const lateInvitation = processManager<InvitationSent>({
  name: 'late-invitation',
  on: 'InvitationSent',
  appends: ['InvitationRevoked'],
  awaited: false,
  react: (event, runner) => endOfDeactivated(event, runner),
});

/** Ends a link that was stored while its maker was deactivated. */
export const lateLink = processManager<InvitationLinkCreated>({
  name: 'late-invitation-link',
  on: 'InvitationLinkCreated',
  appends: ['InvitationRevoked'],
  awaited: false,
  react: (event, runner) => endOfDeactivated(event, runner),
});

async function endOfDeactivated(
  event: Recorded<InvitationSent | InvitationLinkCreated>,
  runner: CommandRunner,
): Promise<Position> {
  const { byId } = await runner.stateOf({ stream: USERS_STREAM, decider: users });
  const { inviterId, invitationId } = event.data;
  if (byId.get(inviterId)?.status !== 'deactivated') return event.position;
  const command = new EndInvitationsOf({ inviterId, by: contextOf(event), only: invitationId });
  return end(event, runner, (state) => decideEndInvitationsOf(command, state, undefined));
}

/** Ends the invitations to the address of a new account. */
export const addressTaken = processManager<UserCreated>({
  name: 'invited-address-taken',
  on: 'UserCreated',
  appends: ['InvitationRevoked'],
  react: (event, runner) => endTo(event.data.email, event, runner),
});

/** Ends the invitations to an address that an account has taken. */
export const addressMovedTo = processManager<UserEmailChanged>({
  name: 'invited-address-moved-to',
  on: 'UserEmailChanged',
  appends: ['InvitationRevoked'],
  react: (event, runner) => endTo(event.data.to, event, runner),
});

function endTo(email: string, event: Recorded, runner: CommandRunner): Promise<Position> {
  const command = new EndInvitationsTo({ email, by: contextOf(event) });
  return end(event, runner, (state) => decideEndInvitationsTo(command, state, undefined));
}

async function end(
  event: Recorded,
  runner: CommandRunner,
  decide: (state: InvitationsState) => readonly InvitationRevoked[],
): Promise<Position> {
  const { id, position } = event;
  const outcome = await runner.decide<undefined, InvitationsState, InvitationEvent, undefined>({
    stream: INVITATIONS_STREAM,
    decider: invitations,
    expects: 'any',
    decide: (_command, state) => decide(state),
    command: undefined,
    context: undefined,
    by: contextOf(event),
    cause: {
      eventId: id,
      position,
      ids: (_index, revoked) => derivedId('invitation-end', id, revoked.data.invitationId),
      // An invitation that was made since is not concerned.
      isAboutTheSame: (since, revoked) =>
        !isAboutItsMail(since) && since.data.invitationId === revoked.data.invitationId,
    },
  });
  return Math.max(position, outcome.position);
}

const isAboutItsMail = ({ type }: InvitationEvent): boolean =>
  type === 'InvitationResent' || type === 'InvitationMailRefused';

const contextOf = ({ metadata: { actorId, client, correlationId } }: Recorded<DomainEvent>) => ({
  actorId,
  client,
  correlationId,
});
