/** Routes without the API's prefix: the log's name is the address above them. */
export const CHECKPOINT_ROUTE = 'transparency/checkpoint';
export const TILES_ROUTE = 'transparency/tile/*';
