import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideGrantPermission, GrantPermission } from '../domain/grant-permission.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(GrantPermission)
export class GrantPermissionHandler implements ICommandHandler<GrantPermission, boolean> {
  constructor(private readonly stream: UsersStream) {}

  /** @returns whether anything changed */
  async execute(command: GrantPermission): Promise<boolean> {
    const changed = await this.stream.decide(command, decideGrantPermission, undefined);
    return changed.length > 0;
  }
}
