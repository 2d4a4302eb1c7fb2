import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { readState } from '../../../projections/read-state.projection.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { decideMuteUser, MuteUser } from '../domain/mute-user.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(MuteUser)
export class MuteUserHandler implements ICommandHandler<MuteUser, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: MuteUser): Promise<void> {
    const exists = this.directory.user(command.mutedUserId) !== undefined;
    const { events, position } = await this.stream.decide(decideMuteUser, command, { exists });
    if (events.length > 0) await this.readYourWrites.waitForAll(position, [readState, clientEvents]);
  }
}
