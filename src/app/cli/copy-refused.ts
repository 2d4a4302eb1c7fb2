/** The log cannot be copied; the message has the reason and the remedy in one line. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}
