import { v7 } from 'uuid';

/** A new id. Ids made one after another sort together, so records keyed by them are stored close together. */
export const newEventId = (): string => v7();
