/** The process cannot start as configured. The message says in one line what to change. */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
