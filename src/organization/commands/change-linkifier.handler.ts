import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ChangeLinkifier, decideChangeLinkifier } from '../domain/change-linkifier.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(ChangeLinkifier)
export class ChangeLinkifierHandler implements ICommandHandler<ChangeLinkifier, void> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  async execute(command: ChangeLinkifier): Promise<void> {
    await this.decisions.decide(decideChangeLinkifier, command, this.decisions.administration(command));
  }
}
