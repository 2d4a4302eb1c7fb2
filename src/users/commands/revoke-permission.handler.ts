import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRevokePermission, RevokePermission } from '../domain/grant-permission.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(RevokePermission)
export class RevokePermissionHandler implements ICommandHandler<RevokePermission, boolean> {
  constructor(private readonly stream: UsersStream) {}

  /** @returns whether anything changed */
  async execute(command: RevokePermission): Promise<boolean> {
    const changed = await this.stream.decide(command, decideRevokePermission, undefined);
    return changed.length > 0;
  }
}
