/**
 * Every refusal code, with the data that its message needs. Each table of refusals adds its own rows
 * (`interface RefusalCodes extends DataOf<typeof table> {}`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface RefusalCodes {}

export type RefusalCode = keyof RefusalCodes;
type RefusalData = Readonly<Record<string, unknown>>;

/** A refusal: a stable code and its data. Knows no HTTP: the table of the code gives the status and message. */
export class DomainError extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly data: RefusalData = {},
  ) {
    super(code);
    this.name = 'DomainError';
  }
}

/** @throws DomainError always. @param data the data that the code's message needs, and further entries of the answer */
export function refuse<Code extends RefusalCode>(
  code: Code,
  ...[data]: keyof RefusalCodes[Code] extends never ? [data?: RefusalData] : [data: RefusalCodes[Code] & RefusalData]
): never {
  throw new DomainError(code, data);
}

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
