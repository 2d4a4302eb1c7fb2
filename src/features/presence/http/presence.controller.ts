import { Controller, Get, Post } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { JsonInTurns } from '../../../platform/http/answers/json-in-turns.js';
import type { SharedAnswer } from '../../../platform/http/answers/shared-answer.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { NobodyWaits } from '../../../platform/http/gathered-requests.js';
import { IsCount, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { UpdatePresence } from '../domain/presence.js';
import { GetPresence } from '../queries/presence.queries.js';
import { Presences } from '../services/presences.js';

class UpdatePresenceParameters {
  @IsString() readonly status!: string;
  @JsonText() @IsOptional() @IsInt() @Min(-1) @Max(Number.MAX_SAFE_INTEGER) readonly last_update_id?: number;
  @JsonText() @IsOptional() @IsCount() readonly history_limit_days?: number;

  /** For statistics, which the server does not keep. */
  @OptionalFlag() readonly new_user_input: boolean = false;

  @OptionalFlag() readonly ping_only: boolean = false;
  @OptionalFlag() readonly slim_presence: boolean = false;
}

@Controller()
export class PresenceController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly presences: Presences,
  ) {}

  @Post('users/me/presence')
  @NobodyWaits()
  async update(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: UpdatePresenceParameters,
  ): Promise<SharedAnswer | undefined> {
    const {
      status,
      last_update_id: after = null,
      history_limit_days: days = null,
      ping_only,
      slim_presence,
    } = parameters;
    await this.dispatch.do(new UpdatePresence({ userId: user._id, status, by }));
    if (ping_only) return undefined;
    const isModern = after !== null || slim_presence;
    return isModern ? this.presences.modern(after, days) : this.presences.legacy(days);
  }

  @Get('users/:user/presence')
  async one(@PathText('user') user: string): Promise<object> {
    return { presence: await this.dispatch.ask(new GetPresence({ user })) };
  }

  @Get('realm/presence')
  all(): Promise<JsonInTurns> {
    const { presences, server_timestamp } = this.presences.legacy().members;
    return JsonInTurns.of({ presences, server_timestamp });
  }
}
