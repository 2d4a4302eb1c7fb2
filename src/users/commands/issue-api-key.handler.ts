import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { decideIssueApiKey, IssueApiKey } from '../domain/issue-api-key.js';
import { USERS_STREAM } from '../domain/users.events.js';
import { users } from '../domain/users.state.js';

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey, void> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: IssueApiKey): Promise<void> {
    const { position } = await this.runner.decide({
      stream: USERS_STREAM,
      decider: users,
      decide: decideIssueApiKey,
      command,
      context: undefined,
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, []);
  }
}
