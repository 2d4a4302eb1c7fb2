import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { MutedSender } from '../../read-state/commands/muted-sender.js';
import { decideMuteUser, MuteUser } from '../domain/mute-user.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(MuteUser)
export class MuteUserHandler implements ICommandHandler<MuteUser, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
    private readonly sender: MutedSender,
  ) {}

  async execute(command: MuteUser): Promise<void> {
    const { userId, mutedUserId, by } = command;
    const exists = this.directory.user(mutedUserId) !== undefined;
    await this.stream.decide(decideMuteUser, command, { exists });
    await this.sender.markRead(userId, mutedUserId, by);
  }
}
