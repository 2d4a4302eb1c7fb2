import { Command } from '../../../platform/kernel/deciding.js';

/** Ends the login of an API key. One that has ended changes nothing. */
export class LogOut extends Command<{ key: string }> {}
