import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AddPlayground, decideAddPlayground } from '../domain/add-playground.js';
import { OrganizationDecisions } from './organization-decisions.js';

@CommandHandler(AddPlayground)
export class AddPlaygroundHandler implements ICommandHandler<AddPlayground, number> {
  constructor(private readonly decisions: OrganizationDecisions) {}

  /** @returns the new playground's id */
  async execute(command: AddPlayground): Promise<number> {
    const [made] = await this.decisions.decide(decideAddPlayground, command, this.decisions.administration(command));
    if (!made) throw new Error('a playground was neither made nor refused');
    return made.data.playground.id;
  }
}
