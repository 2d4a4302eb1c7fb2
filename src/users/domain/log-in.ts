import type { CommandContext } from '../../kernel/command-context.js';

/** A password for an API key. */
export class LogIn {
  constructor(
    readonly email: string,
    readonly password: string,
    readonly by: CommandContext,
  ) {}
}
