import { Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import { PasswordRule } from '../domain/password.js';

/** Where the facts about a new account come from. */
@Injectable()
export class NewAccountSources {
  constructor(
    readonly directory: Directory,
    readonly passwords: PasswordRule,
  ) {}
}
