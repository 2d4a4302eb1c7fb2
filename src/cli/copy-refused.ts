/** A log cannot be copied as it was asked; the message says why and what to do, in one line. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}
