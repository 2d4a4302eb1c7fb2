import { Controller, Get, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { OptionalFlag, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { EmojiParameters } from '../../messages/http/reactions.controller.js';
import { ChangeUserStatus, type StatusChanges } from '../domain/user-status.js';
import type { StatusForClients } from '../queries/statuses.queries.js';
import { GetUserStatus } from '../user-status.handlers.js';

/** `POST /users/{user_id}/status` */
class ChangeUserStatusParameters extends EmojiParameters {
  @OptionalText() readonly status_text?: string;
}

/** `POST /users/me/status` */
class ChangeOwnStatusParameters extends ChangeUserStatusParameters {
  @OptionalFlag() readonly away?: boolean;
}

@Controller('users')
export class UserStatusController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post('me/status')
  async changeOwn(@Caller() { user, by }: Caller, @Parameters() parameters: ChangeOwnStatusParameters): Promise<void> {
    const { away } = parameters;
    const changes = { ...changesIn(parameters), ...(away !== undefined && { away }) };
    await this.dispatch.do(new ChangeUserStatus({ userId: user._id, changes, by }));
  }

  @Post(':user_id/status')
  async change(
    @Caller() { by }: Caller,
    @PathId('user_id') userId: number,
    @Parameters() parameters: ChangeUserStatusParameters,
  ): Promise<void> {
    const changes = changesIn(parameters);
    await this.dispatch.do(new ChangeUserStatus({ userId, changes, by }));
  }

  @Get(':user_id/status')
  async one(@PathId('user_id') userId: number): Promise<{ status: StatusForClients }> {
    return { status: await this.dispatch.ask(new GetUserStatus({ userId })) };
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
