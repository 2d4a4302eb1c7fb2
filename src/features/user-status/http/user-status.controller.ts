import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsOptional, IsString } from 'class-validator';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { EmojiParameters } from '../../messages/http/reaction.parameters.js';
import { ChangeUserStatus, type StatusChanges } from '../domain/user-status.js';
import type { StatusForClients } from '../queries/statuses.queries.js';
import { GetUserStatus } from '../user-status.handlers.js';

/** `POST /users/{user_id}/status` */
export class ChangeUserStatusParameters extends EmojiParameters {
  @IsOptional()
  @IsString()
  readonly status_text?: string;
}

/** `POST /users/me/status` */
export class ChangeOwnStatusParameters extends ChangeUserStatusParameters {
  @OptionalFlag()
  readonly away?: boolean;
}

@Controller('users')
export class UserStatusController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('me/status')
  async changeOwn(
    @Caller() caller: Caller,
    @Parameters(ChangeOwnStatusParameters) parameters: ChangeOwnStatusParameters,
  ): Promise<void> {
    const { away } = parameters;
    const changes = { ...changesIn(parameters), ...(away !== undefined && { away }) };
    await this.commands.execute(new ChangeUserStatus({ userId: caller.user._id, changes, by: commandContext(caller) }));
  }

  @Post(':user_id/status')
  async change(
    @Caller() caller: Caller,
    @PathId('user_id') userId: number,
    @Parameters(ChangeUserStatusParameters) parameters: ChangeUserStatusParameters,
  ): Promise<void> {
    const changes = changesIn(parameters);
    await this.commands.execute(new ChangeUserStatus({ userId, changes, by: commandContext(caller) }));
  }

  @Get(':user_id/status')
  async one(@PathId('user_id') userId: number): Promise<{ status: StatusForClients }> {
    return { status: await this.queries.execute(new GetUserStatus({ userId })) };
  }
}

function changesIn({
  status_text: text,
  emoji_name: name,
  emoji_code: code,
  reaction_type: type,
}: ChangeUserStatusParameters): StatusChanges {
  const hasEmoji = [name, code, type].some((one) => one !== undefined);
  const emoji = { name: name ?? null, code: code ?? null, type: type ?? null };
  return { ...(text !== undefined && { text }), ...(hasEmoji && { emoji }) };
}
