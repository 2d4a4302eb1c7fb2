import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';

export interface LoggedIn {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

/** Gives an API key for a password. */
export class LogIn extends Command<LoggedIn> {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly by: CommandContext,
  ) {
    super();
  }
}
