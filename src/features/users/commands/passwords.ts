import { hash, verify } from '@node-rs/argon2';

/** argon2id, with the library's parameters (19 MiB, 2 passes); in PHC form. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** The hash of no password, so that an unknown account takes as long to refuse as a wrong password. */
let decoy: Promise<string> | undefined;

/** False for an account without a password too. */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash('no account has this password');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
