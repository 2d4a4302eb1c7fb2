import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { CreateOrganization, decideCreateOrganization } from '../domain/create-organization.js';
import { ORGANIZATION_STREAM } from '../domain/organization.events.js';
import { organization } from '../domain/organization.state.js';

@CommandHandler(CreateOrganization)
export class CreateOrganizationHandler implements ICommandHandler<CreateOrganization, void> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: CreateOrganization): Promise<void> {
    const { position } = await this.runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      decide: decideCreateOrganization,
      command,
      context: undefined,
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, []);
  }
}
