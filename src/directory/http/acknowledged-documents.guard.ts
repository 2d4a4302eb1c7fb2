import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { RouteMark } from '../../platform/http/route-marks.js';
import { AHEAD_OF_DOCUMENTS, type AheadOfDocuments } from '../../platform/read-models/ahead-of-documents.js';

const IS_AHEAD = 'http:ahead-of-documents';

const isAhead = new RouteMark<true>(IS_AHEAD);

/**
 * Marks a route that begins before the documents have what was acknowledged. Its own reads of documents wait; nothing that
 * it keeps in memory may be of their position.
 */
export const AheadOfDocumentsRoute = (): MethodDecorator => SetMetadata(IS_AHEAD, true);

/** Holds a request until the documents have every command that was answered before it came (D11). */
@Injectable()
export class AcknowledgedDocumentsGuard implements CanActivate {
  constructor(@Inject(AHEAD_OF_DOCUMENTS) private readonly ahead: AheadOfDocuments | null) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (this.ahead === null || isAhead.of(context)) return true;
    const waiting = this.ahead.acknowledged();
    return waiting === null ? true : waiting.then(() => true as const);
  }
}
