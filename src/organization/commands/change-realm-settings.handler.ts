import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { groupFacts } from '../../directory/group-facts.js';
import { ChangeRealmSettings, decideChangeRealmSettings } from '../domain/change-realm-settings.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(ChangeRealmSettings)
export class ChangeRealmSettingsHandler implements ICommandHandler<ChangeRealmSettings, void> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: OrganizationDecisions,
  ) {}

  async execute(command: ChangeRealmSettings): Promise<void> {
    await this.decisions.decide(decideChangeRealmSettings, command, {
      ...groupFacts(this.directory),
      mayAdminister: this.decisions.may(command, 'administer'),
      mayOwn: this.decisions.may(command, 'own'),
      isChannel: (id) => {
        const channel = this.directory.channel(id);
        return channel !== undefined && !channel.isArchived && this.decisions.may(command, { channel, to: 'see' });
      },
    });
  }
}
