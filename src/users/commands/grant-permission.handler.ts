import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideGrantPermission, GrantPermission } from '../domain/grant-permission.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(GrantPermission)
export class GrantPermissionHandler implements ICommandHandler<GrantPermission, void> {
  constructor(private readonly stream: UsersStream) {}

  async execute(command: GrantPermission): Promise<void> {
    await this.stream.decide(command, decideGrantPermission, undefined);
  }
}
