import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SYNCHRONIZATION } from '../../../events/drafts/drafts.events.js';
import { edge } from '../../../platform/http/edge-state.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UserSettings } from '../../personal/queries/user-settings.js';

/** Refuses every request for drafts of a user who has turned their synchronization off. */
@Injectable()
export class SynchronizedDraftsGuard implements CanActivate {
  constructor(private readonly settings: UserSettings) {}

  canActivate(context: ExecutionContext): true {
    const { user } = context.switchToHttp().getRequest<FastifyRequest>()[edge];
    if (user && !this.settings.value(user._id, SYNCHRONIZATION)) refuse('DRAFTS_NOT_SYNCHRONIZED');
    return true;
  }
}
