import { DomainError } from '../kernel/deciding.js';
import { ContentRemainsError, PartlyDoneError } from '../kernel/outcome-errors.js';

/**
 * Carries out a request whose parts are each in a stream of their own, so that no append can hold them all. After
 * something was stored, a failure is a PartlyDoneError: a 503 would promise that nothing was. A repeat of the request
 * does the rest, because each finished part does nothing.
 */
export class MultiStreamCommand {
  /** @param hasStored whether anything has been stored already */
  constructor(private hasStored = false) {}

  /** @param stored tells from the result whether the part has stored anything */
  async do<T>(part: () => Promise<T>, stored: (result: T) => boolean): Promise<T> {
    try {
      const result = await part();
      this.hasStored ||= stored(result);
      return result;
    } catch (error) {
      // A refusal names its reason and leaves out earlier parts; the other error is complete.
      if (error instanceof DomainError || error instanceof ContentRemainsError) throw error;
      if (this.hasStored)
        throw new PartlyDoneError('a part of the request failed after others were carried out', { cause: error });
      throw error;
    }
  }
}
