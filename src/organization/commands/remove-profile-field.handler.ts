import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRemoveProfileField, RemoveProfileField } from '../domain/remove-profile-field.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(RemoveProfileField)
export class RemoveProfileFieldHandler implements ICommandHandler<RemoveProfileField, void> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  async execute(command: RemoveProfileField): Promise<void> {
    await this.decisions.decide(decideRemoveProfileField, command, this.decisions.administration(command));
  }
}
