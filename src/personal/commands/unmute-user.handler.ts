import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { decideUnmuteUser, UnmuteUser } from '../domain/unmute-user.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(UnmuteUser)
export class UnmuteUserHandler implements ICommandHandler<UnmuteUser, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
  ) {}

  async execute(command: UnmuteUser): Promise<void> {
    const exists = this.directory.user(command.mutedUserId) !== undefined;
    await this.stream.decide(decideUnmuteUser, command, { exists });
  }
}
