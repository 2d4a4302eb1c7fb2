/** A refusal: a stable code and its data. Knows no HTTP; one table at the edge maps it (src/http/error-table.ts). */
export class DomainError extends Error {
  constructor(
    readonly code: string,
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(code);
    this.name = 'DomainError';
  }
}

export function refuse(code: string, data?: Readonly<Record<string, unknown>>): never {
  throw new DomainError(code, data);
}

/** The outcome cannot be had now, and nothing was stored; answered with 503 and `Retry-After`. */
export class UnavailableError extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'UnavailableError';
  }
}

/**
 * All that was asked for is in the log, and words that go with it may still be in documents, or their key be there: both
 * follow by themselves. A repeat has nothing to do.
 */
export class WordsRemainError extends Error {
  override readonly name = 'WordsRemainError';
}

/** Something of what was asked for is stored, and the rest is not; a repeat does what is left. */
export class PartlyDoneError extends Error {
  override readonly name = 'PartlyDoneError';
}
