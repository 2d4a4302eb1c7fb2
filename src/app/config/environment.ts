import { tmpdir, userInfo } from 'node:os';
import type { OperatorNames } from '../../events/accesses/accesses.events.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Gives the variables of this process. */
export const processEnvironment = (): Environment => process.env;

/** Tells where temporary files are made. */
export const temporaryFolder = ({ TMPDIR }: Environment): string => TMPDIR || tmpdir();

/** Tells who runs a command. Whoever may set the environment may set SUDO_USER. */
export function operatingUser(environment: Environment): OperatorNames {
  return { user: userName(), sudoUser: environment.SUDO_USER || null };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
