import { v7 } from 'uuid';

/** A new id; ids made one after another sort together, which keeps what is stored by them close together. */
export const newEventId = (): string => v7();
