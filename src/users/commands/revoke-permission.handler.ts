import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRevokePermission, RevokePermission } from '../domain/grant-permission.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(RevokePermission)
export class RevokePermissionHandler implements ICommandHandler<RevokePermission, void> {
  constructor(private readonly stream: UsersStream) {}

  async execute(command: RevokePermission): Promise<void> {
    await this.stream.decide(command, decideRevokePermission, undefined);
  }
}
