import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { UpdatePresence } from '../domain/presence.js';
import { SharedPresence } from '../services/shared-presence.js';

/** Takes the ping down in memory; appends nothing (D25). */
@CommandHandler(UpdatePresence)
export class UpdatePresenceHandler implements ICommandHandler<UpdatePresence> {
  constructor(
    private readonly directory: Directory,
    private readonly presence: SharedPresence,
  ) {}

  /** @throws DomainError BOTS_NOT_ALLOWED, INVALID_PRESENCE_STATUS */
  async execute({ userId, status }: UpdatePresence): Promise<void> {
    const user = this.directory.existingUser(userId);
    if (user.bot !== null) refuse('BOTS_NOT_ALLOWED');
    if (status !== 'active' && status !== 'idle') return refuse('INVALID_PRESENCE_STATUS', { status });
    await this.presence.ping(user, status);
  }
}
