import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ChangeProfileField, decideChangeProfileField } from '../domain/change-profile-field.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(ChangeProfileField)
export class ChangeProfileFieldHandler implements ICommandHandler<ChangeProfileField, void> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  async execute(command: ChangeProfileField): Promise<void> {
    await this.decisions.decide(decideChangeProfileField, command, this.decisions.administration(command));
  }
}
