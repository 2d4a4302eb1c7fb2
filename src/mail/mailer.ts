export interface Mail {
  /** Of letters, digits and dashes; a repeat has the same. */
  readonly id: string;
  /** An address. */
  readonly to: string;
  /** Name of who sends it. */
  readonly fromName: string;
  readonly subject: string;
  /** Plain text, lines ended by `\n`. */
  readonly text: string;
  /** When what it tells of happened, milliseconds since 1970. */
  readonly at: number;
}

/**
 * Takes mail to people. Whoever asks and dies before it has the answer asks again, with the same id: one mail, not two,
 * wherever that can be told.
 */
export interface Mailer {
  /** Resolves when the mail is out of this process's hands. Rejects to be asked again, later. */
  send(mail: Mail): Promise<void>;
}
