import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AddLinkifier, decideAddLinkifier } from '../domain/add-linkifier.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(AddLinkifier)
export class AddLinkifierHandler implements ICommandHandler<AddLinkifier, number> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  /** @returns the new linkifier's id */
  async execute(command: AddLinkifier): Promise<number> {
    const [made] = await this.decisions.decide(decideAddLinkifier, command, this.decisions.administration(command));
    if (!made) throw new Error('a linkifier was neither made nor refused');
    return made.data.linkifier.id;
  }
}
