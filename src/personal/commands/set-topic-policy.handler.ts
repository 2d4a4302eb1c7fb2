import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { refuse } from '../../kernel/domain-error.js';
import { decideSetTopicPolicy, SetTopicPolicy } from '../domain/set-topic-policy.js';
import { PersonalStream } from './personal-stream.js';

@CommandHandler(SetTopicPolicy)
export class SetTopicPolicyHandler implements ICommandHandler<SetTopicPolicy, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: PersonalStream,
  ) {}

  async execute(command: SetTopicPolicy): Promise<void> {
    const user = this.directory.user(command.userId) ?? refuse('USER_NOT_FOUND');
    const channel = this.directory.channel(command.channelId);
    const isInSight = channel !== undefined && may(user, { channel, to: 'see' }, this.directory);
    await this.stream.decide(decideSetTopicPolicy, command, { isInSight });
  }
}
