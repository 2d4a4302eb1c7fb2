import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { type PersonalEvent, personalStream } from '../../../events/personal/personal.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SharedPresence } from '../../presence/services/shared-presence.js';
import { ChangeOwnAccount } from '../../users/domain/change-own-account.js';
import { AddAlertWords, decideAddAlertWords, decideRemoveAlertWords, RemoveAlertWords } from '../domain/alert-words.js';
import { ChangeUserSettings, decideChangeUserSettings } from '../domain/change-user-settings.js';
import { decideMuteUser, decideUnmuteUser, MuteUser, UnmuteUser } from '../domain/muted-users.js';
import { type PersonalState, personal } from '../domain/personal.state.js';
import { decideSetTopicPolicy, SetTopicPolicy } from '../domain/topic-policies.js';

/** The stream of facts that concern one user alone. */
const personalStreamOf = ({ userId }: { readonly userId: number }): CommandStream<PersonalState, PersonalEvent> => ({
  stream: personalStream(userId),
  decider: personal,
  expects: 'any',
});

export const personalHandlers = [
  decidesOn(SetTopicPolicy, {
    stream: personalStreamOf,
    decide: decideSetTopicPolicy,
    uses: Directory,
    facts: ({ userId, channelId }, directory) => {
      const user = directory.existingUser(userId);
      const channel = directory.channel(channelId);
      return { isVisible: channel !== undefined && may(user, { channel, to: 'see' }, directory) };
    },
  }),
  decidesOn(AddAlertWords, { stream: personalStreamOf, decide: decideAddAlertWords }),
  decidesOn(RemoveAlertWords, { stream: personalStreamOf, decide: decideRemoveAlertWords }),
  decidesOn(MuteUser, {
    stream: personalStreamOf,
    decide: decideMuteUser,
    uses: Directory,
    facts: ({ mutedUserId }, directory) => ({ exists: directory.user(mutedUserId) !== undefined }),
  }),
  decidesOn(UnmuteUser, {
    stream: personalStreamOf,
    decide: decideUnmuteUser,
    uses: Directory,
    facts: ({ mutedUserId }, directory) => ({ exists: directory.user(mutedUserId) !== undefined }),
  }),
];

@CommandHandler(ChangeUserSettings)
export class ChangeUserSettingsHandler implements ICommandHandler<ChangeUserSettings> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly readYourWrites: ReadYourWrites,
    private readonly commands: CommandBus,
    private readonly presence: SharedPresence,
  ) {}

  /**
   * Resolves when every process has the settings and their consequences in other streams are done. The account comes
   * first: only its change can be refused, and then nothing is changed.
   */
  async execute(command: ChangeUserSettings): Promise<void> {
    const { userId, account, by } = command;
    const user = this.directory.existingUser(userId);
    if (user.bot !== null) refuse('BOTS_NOT_ALLOWED');
    const parts = new MultiStreamCommand();
    if (Object.values(account).some((change) => change !== undefined)) {
      const ownAccount = new ChangeOwnAccount({ userId, changes: account, by });
      await parts.do(
        () => this.commands.execute(ownAccount),
        (isChanged) => isChanged,
      );
    }
    const { events, position } = await parts.do(
      () => this.decisions.decide(personalStreamOf(command), decideChangeUserSettings, command, undefined),
      (outcome) => outcome.events.length > 0,
    );
    for (const { data } of events)
      if (data.property === 'presence_enabled') await this.presence.share(user, data.to === true);
    // A user who turns synchronization off has no draft left.
    if (command.settings.enable_drafts_synchronization === false)
      await parts.do(
        () => this.readYourWrites.waitForDeletion(position, events),
        () => false,
      );
  }
}
