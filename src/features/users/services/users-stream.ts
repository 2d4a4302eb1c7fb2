import { Inject, Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import type { AccountLinkEvent } from '../../../events/users/account-links.events.js';
import { USERS_STREAM, type UserEvent } from '../../../events/users/users.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { SITE } from '../../../platform/kernel/site.js';
import { PasswordRule } from '../domain/password.js';
import { type UsersState, users } from '../domain/users.state.js';

export const usersStream: CommandStream<UsersState, UserEvent | AccountLinkEvent> = {
  stream: USERS_STREAM,
  decider: users,
  expects: 'any',
};

/** Where the facts about a new account come from. */
@Injectable()
export class NewAccountSources {
  constructor(
    readonly directory: Directory,
    readonly passwords: PasswordRule,
    @Inject(SITE) readonly site: () => string,
  ) {}
}
