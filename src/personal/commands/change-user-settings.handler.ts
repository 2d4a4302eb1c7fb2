import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { refuse } from '../../kernel/domain-error.js';
import { ChangeUserSettings, decideChangeUserSettings } from '../domain/change-user-settings.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(ChangeUserSettings)
export class ChangeUserSettingsHandler implements ICommandHandler<ChangeUserSettings, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
  ) {}

  /** When it is answered, every process goes by the settings, and what follows from them in other streams is done. */
  async execute(command: ChangeUserSettings): Promise<void> {
    const { bot } = this.directory.user(command.userId) ?? refuse('USER_NOT_FOUND');
    if (bot !== null) refuse('BOTS_NOT_ALLOWED');
    await this.stream.decideForAll(decideChangeUserSettings, command, undefined);
  }
}
