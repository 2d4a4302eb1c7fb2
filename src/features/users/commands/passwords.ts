import { hash, verify } from '@node-rs/argon2';
import { Mutex } from '../../../platform/kernel/mutex.js';

/** One hash is computed at a time: each takes a processor for some 30 ms, and a crowd that guesses gets one at most. */
const hashing = new Mutex();

/** argon2id, with the library's parameters (19 MiB, 2 passes); in PHC form. */
export const hashPassword = (password: string): Promise<string> => hashing.run(() => hash(password));

/** Stands for the hash of a password in a decision that is only checked: hashing costs much. */
export const NOT_HASHED = '';

/** Hash to check for an unknown account, so that its refusal takes as long as the refusal of a wrong password. */
let decoy: Promise<string> | undefined;

/** Checks a password; false for an account without one. */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const known = passwordHash ?? (await decoy);
  const matches = await hashing.run(() => verify(known, password));
  return matches && passwordHash !== null;
}
