const NAME = /^[A-Za-z0-9_-]{16,64}$/;

/** @throws TypeError where it cannot be a file's name: it never comes from a client, and leads nowhere */
export function refuseBadName(name: string): void {
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a stored file`);
}
