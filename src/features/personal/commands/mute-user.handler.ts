import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import { readState } from '../../../../projections/read-state/read-state.projection.js';
import { Directory } from '../../../directory/directory.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { decideMuteUser, MuteUser } from '../domain/mute-user.js';
import { personalStreamOf } from './personal-stream.js';

@CommandHandler(MuteUser)
export class MuteUserHandler implements ICommandHandler<MuteUser> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: MuteUser): Promise<void> {
    const exists = this.directory.user(command.mutedUserId) !== undefined;
    const { events, position } = await this.decisions.decide(personalStreamOf(command), decideMuteUser, command, {
      exists,
    });
    if (events.length > 0) await this.readYourWrites.waitForAll(position, [readState, clientEvents]);
  }
}
