/** A value that is JSON text already. Several answers share its bytes. */
export class PreparedJson {
  readonly bytes: Buffer;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** For other serializers than `JsonInTurns`. */
  toJSON(): unknown {
    return JSON.parse(this.bytes.toString()) as unknown;
  }
}
