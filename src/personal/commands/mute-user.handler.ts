import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { decideMuteUser, MuteUser } from '../domain/mute-user.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(MuteUser)
export class MuteUserHandler implements ICommandHandler<MuteUser, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
  ) {}

  execute(command: MuteUser): Promise<void> {
    const exists = this.directory.user(command.mutedUserId) !== undefined;
    return this.stream.decide(decideMuteUser, command, { exists });
  }
}
