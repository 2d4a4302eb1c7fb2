import { hash, verify } from '@node-rs/argon2';

/** argon2id, with the library's parameters (19 MiB, 2 passes); in PHC form. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Stands for the hash of a password in a decision that is only checked: hashing costs much. */
export const NOT_HASHED = '';

/** Hash to check for an unknown account, so that its refusal takes as long as the refusal of a wrong password. */
let decoy: Promise<string> | undefined;

/** Checks a password; false for an account without one. */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash('no account has this password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
