/** The process cannot start as it was told to; the message says in one line what to change. */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
