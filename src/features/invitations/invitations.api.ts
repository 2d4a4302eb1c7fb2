import type { FeatureApi } from '../feature.js';
import { AcceptInvitationHandler } from './commands/accept-invitation.handler.js';
import { ConfirmJoinHandler } from './commands/confirm-join.handler.js';
import { CreateInvitationLinkHandler } from './commands/create-invitation-link.handler.js';
import { ExpiredInvitationSweeper } from './commands/expired-invitation-sweeper.js';
import { InvitationFacts } from './commands/invitation-facts.js';
import { invitationHandlers } from './commands/invitations.handlers.js';
import { SendInvitationsHandler } from './commands/send-invitations.handler.js';
import { InvitationsController } from './http/invitations.controller.js';
import { JoinController } from './http/join.controller.js';
import { JoinMailLimit } from './http/join-mail-limit.js';
import { FindLinkHandler } from './queries/find-link.handler.js';
import { GetInvitationLinkUrlHandler, GetInvitationsHandler } from './queries/get-invitations.handler.js';

export const api: FeatureApi = {
  controllers: [InvitationsController, JoinController],
  providers: [
    ...invitationHandlers,
    AcceptInvitationHandler,
    ConfirmJoinHandler,
    CreateInvitationLinkHandler,
    ExpiredInvitationSweeper,
    FindLinkHandler,
    InvitationFacts,
    JoinMailLimit,
    SendInvitationsHandler,
    GetInvitationLinkUrlHandler,
    GetInvitationsHandler,
  ],
};
