const NAME = /^[A-Za-z0-9_-]{16,64}$/;

/** Tells whether it can be a file's name: without path parts, never made by a client. */
export const isFileName = (name: string): boolean => NAME.test(name);

/** @throws TypeError unless it can be a file's name */
export function refuseBadName(name: string): void {
  if (!isFileName(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a stored file`);
}

const VARIANT = /^[a-z0-9-]{1,32}$/;

/** @throws TypeError unless it can name a derived file */
export function refuseBadVariant(variant: string): void {
  if (!VARIANT.test(variant)) throw new TypeError(`${JSON.stringify(variant)} is no name of a derived file`);
}
