import { INVITATIONS_STREAM, type InvitationEvent } from '../../../events/invitations/invitations.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type InvitationsState, invitations } from '../domain/invitations.state.js';

export const invitationsStream: CommandStream<InvitationsState, InvitationEvent> = {
  stream: INVITATIONS_STREAM,
  decider: invitations,
  expects: 'any',
};
