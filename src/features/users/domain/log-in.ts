import { Command } from '../../../platform/kernel/deciding.js';

export interface LoggedIn {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

/** Gives an API key for a password. */
export class LogIn extends Command<{ email: string; password: string }, LoggedIn> {}
