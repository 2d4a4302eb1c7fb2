import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideReorderProfileFields, ReorderProfileFields } from '../domain/reorder-profile-fields.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(ReorderProfileFields)
export class ReorderProfileFieldsHandler implements ICommandHandler<ReorderProfileFields, void> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  async execute(command: ReorderProfileFields): Promise<void> {
    await this.decisions.decide(decideReorderProfileFields, command, this.decisions.administration(command));
  }
}
