export interface Mail {
  /** Letters, digits and dashes; the same for a repeat. */
  readonly id: string;
  /** The addressee's mail address. */
  readonly to: string;
  /** Name of the sender. */
  readonly fromName: string;
  readonly subject: string;
  /** Plain text; lines end with `\n`. */
  readonly text: string;
  /** Time of the event that the mail is about, milliseconds since 1970. */
  readonly at: number;
}

/**
 * Sends mail to people. A caller that ends before the answer sends again with the same id. Adapters deliver one mail,
 * not two, if they can tell.
 */
export interface Mailer {
  /** Resolves when the mail has left this process. Rejects if the caller must send again later. */
  send(mail: Mail): Promise<void>;
}
