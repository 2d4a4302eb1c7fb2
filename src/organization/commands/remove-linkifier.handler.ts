import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRemoveLinkifier, RemoveLinkifier } from '../domain/remove-linkifier.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(RemoveLinkifier)
export class RemoveLinkifierHandler implements ICommandHandler<RemoveLinkifier, void> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  async execute(command: RemoveLinkifier): Promise<void> {
    await this.decisions.decide(decideRemoveLinkifier, command, this.decisions.administration(command));
  }
}
