import { Controller, Post } from '@nestjs/common';
import { Requester } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { LimitLoginAttempts } from '../../../platform/http/login-attempts.interceptor.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { Public } from '../../../platform/http/route-marks.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { type LoggedIn, LogIn } from '../domain/log-in.js';
import { FetchApiKeyParameters } from './fetch-api-key.parameters.js';

@Controller('fetch_api_key')
export class FetchApiKeyController {
  constructor(private readonly dispatch: Dispatch) {}

  @Public()
  @Post()
  @LimitLoginAttempts()
  fetch(
    @Requester() requester: CommandContext,
    @Parameters() { username, password }: FetchApiKeyParameters,
  ): Promise<LoggedIn> {
    return this.dispatch.do(new LogIn({ email: username, password, by: requester }));
  }
}
