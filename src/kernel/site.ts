/** Nest token of a function that gives the server's public URL, without a slash at its end; known once it listens. */
export const SITE = Symbol('Site');
