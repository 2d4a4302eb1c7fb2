/** The request cannot be carried out now, and nothing was stored. Answered with 503 and `Retry-After`. */
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

/** The documents of a projection are being built for the first time, or for a new version: no failure, and it passes. */
export class NotBuiltYet extends UnavailableError {}

/**
 * The request is in the log, but deleted content, or its key, may still be stored. Both are removed without a further
 * request; a repeat has nothing to do.
 */
export class ContentRemainsError extends Error {
  override readonly name = 'ContentRemainsError';
}

/** Only a part of the request is in the log. A repeat does the rest. */
export class PartlyDoneError extends Error {
  override readonly name = 'PartlyDoneError';
}
