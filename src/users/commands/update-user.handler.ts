import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { renderMarkdown } from '../../messages/domain/render-markdown.js';
import { decideUpdateUser, UpdateUser } from '../domain/update-user.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(UpdateUser)
export class UpdateUserHandler implements ICommandHandler<UpdateUser, void> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: UsersStream,
  ) {}

  async execute(command: UpdateUser): Promise<void> {
    const { directory, stream } = this;
    await stream.decide(command, decideUpdateUser, {
      ...stream.rank(command.by),
      mayChangeEmails: may(stream.actor(command.by), 'can_change_user_emails', directory),
      uniqueNames: stream.uniqueNames,
      profileFields: directory.organization?.profileFields ?? [],
      render: renderMarkdown,
    });
  }
}
