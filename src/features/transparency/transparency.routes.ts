/** Routes without the API's prefix: the log's name is the address above them. */
export const CHECKPOINT_ROUTE = 'transparency/checkpoint';
export const VERIFIER_ROUTE = 'transparency/verify.mjs';
export const TILES_ROUTE = 'transparency/tile/*';
/** The same route, as Nest wants it in the list of those without a prefix. */
export const TILES_OUTSIDE = 'transparency/tile/*path';
