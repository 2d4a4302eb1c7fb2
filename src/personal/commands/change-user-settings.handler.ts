import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { drafts } from '../../../projections/drafts.projection.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { refuse } from '../../kernel/domain-error.js';
import { ChangeUserSettings, decideChangeUserSettings } from '../domain/change-user-settings.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(ChangeUserSettings)
export class ChangeUserSettingsHandler implements ICommandHandler<ChangeUserSettings, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** When it is answered, every process goes by the settings, and what follows from them in other streams is done. */
  async execute(command: ChangeUserSettings): Promise<void> {
    const { bot } = this.directory.user(command.userId) ?? refuse('USER_NOT_FOUND');
    if (bot !== null) refuse('BOTS_NOT_ALLOWED');
    const parts = new PartByPart();
    const { position } = await parts.do(
      () => this.stream.decideForAll(decideChangeUserSettings, command, undefined),
      ({ events }) => events.length > 0,
    );
    // Whoever has their drafts no longer kept has nothing left of them.
    if (command.settings.enable_drafts_synchronization === false)
      await parts.do(
        () => this.readYourWrites.waitForFollowingDeletion(position, [drafts]),
        () => false,
      );
  }
}
