import { DomainError, PartlyDoneError, WordsRemainError } from '../kernel/domain-error.js';

/**
 * Carries out a request whose parts are each in a stream of their own, so that no append can hold all of them. What
 * fails after something was stored says so: a 503 would promise that nothing was. A repeat of the request does what is
 * left, because each part does nothing where it is done.
 */
export class PartByPart {
  private hasStored = false;

  /** @param stored whether the part has stored anything, by what it came to */
  async do<T>(part: () => Promise<T>, stored: (result: T) => boolean): Promise<T> {
    try {
      const result = await part();
      this.hasStored ||= stored(result);
      return result;
    } catch (error) {
      // A refusal says why, and nothing of what came before it; the other says all that there is to say.
      if (error instanceof DomainError || error instanceof WordsRemainError) throw error;
      if (this.hasStored)
        throw new PartlyDoneError('a part of the request failed after others were carried out', { cause: error });
      throw error;
    }
  }
}
