import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { drafts } from '../../../projections/drafts.projection.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { refuse } from '../../kernel/domain-error.js';
import { ChangeOwnAccount } from '../../users/domain/change-own-account.js';
import { ChangeUserSettings, decideChangeUserSettings } from '../domain/change-user-settings.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(ChangeUserSettings)
export class ChangeUserSettingsHandler implements ICommandHandler<ChangeUserSettings, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
    private readonly readYourWrites: ReadYourWrites,
    private readonly commands: CommandBus,
  ) {}

  /**
   * When it is answered, every process goes by the settings, and what follows from them in other streams is done. The
   * account comes first: it alone can be refused, and then nothing is changed.
   */
  async execute(command: ChangeUserSettings): Promise<void> {
    const { userId, account, by } = command;
    const { bot } = this.directory.user(userId) ?? refuse('USER_NOT_FOUND');
    if (bot !== null) refuse('BOTS_NOT_ALLOWED');
    const parts = new PartByPart();
    if (account.fullName !== undefined || account.password !== undefined) {
      const ownAccount = new ChangeOwnAccount(userId, account, by);
      await parts.do(
        () => this.commands.execute<ChangeOwnAccount, boolean>(ownAccount),
        (isChanged) => isChanged,
      );
    }
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
