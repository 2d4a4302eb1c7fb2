import { Controller, Delete, Headers, Inject, Post } from '@nestjs/common';
import { Requester } from '../../../directory/http/caller.decorator.js';
import { WithCookie } from '../../../platform/http/answers/with-cookie.js';
import { sessionClient } from '../../../platform/http/client-name.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { LimitLoginAttempts } from '../../../platform/http/login-attempts.interceptor.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { Public } from '../../../platform/http/route-marks.js';
import { OfThisSiteAlone } from '../../../platform/http/same-site.guard.js';
import { NO_SESSION, sessionCookie, sessionKeyIn } from '../../../platform/http/session-cookie.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { SITE } from '../../../platform/kernel/site.js';
import { LogIn, LogOut } from '../domain/api-keys.js';
import { API_KEY_SETTINGS, type ApiKeySettings } from '../users.settings.js';
import { FetchApiKeyParameters } from './api-keys.controller.js';

/** A login whose API key is in a cookie, where no script can read it. */
@Public()
@OfThisSiteAlone()
@Controller('session')
export class SessionController {
  constructor(
    private readonly dispatch: Dispatch,
    @Inject(API_KEY_SETTINGS) private readonly keys: ApiKeySettings,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  @Post()
  @LimitLoginAttempts()
  async begin(
    @Requester() requester: CommandContext,
    @Parameters() { username, password }: FetchApiKeyParameters,
  ): Promise<WithCookie> {
    const { api_key, ...account } = await this.dispatch.do(
      new LogIn({ email: username, password, by: asSession(requester) }),
    );
    const lifetime = { seconds: this.keys.idleLimit / 1000, site: this.site() };
    return new WithCookie(sessionCookie(api_key, lifetime), account);
  }

  @Delete()
  async end(@Requester() requester: CommandContext, @Headers('cookie') cookies?: string): Promise<WithCookie> {
    const key = sessionKeyIn(cookies);
    if (key !== null) await this.dispatch.do(new LogOut({ key, by: asSession(requester) }));
    return new WithCookie(NO_SESSION);
  }
}

/** These routes need no login, so their requests are not known as those of a session. */
const asSession = (by: CommandContext): CommandContext => ({ ...by, client: sessionClient(by.client) });
