import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRemovePlayground, RemovePlayground } from '../domain/remove-playground.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(RemovePlayground)
export class RemovePlaygroundHandler implements ICommandHandler<RemovePlayground, void> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  async execute(command: RemovePlayground): Promise<void> {
    await this.decisions.decide(decideRemovePlayground, command, this.decisions.administration(command));
  }
}
