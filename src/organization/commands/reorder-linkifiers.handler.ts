import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideReorderLinkifiers, ReorderLinkifiers } from '../domain/reorder-linkifiers.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(ReorderLinkifiers)
export class ReorderLinkifiersHandler implements ICommandHandler<ReorderLinkifiers, void> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  async execute(command: ReorderLinkifiers): Promise<void> {
    await this.decisions.decide(decideReorderLinkifiers, command, this.decisions.administration(command));
  }
}
