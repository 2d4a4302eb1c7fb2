/** `12,345` */
export const number = (value: number): string => value.toLocaleString('en-US');

/** `1 event`, `12,345 events` */
export const counted = (value: number, noun: string): string => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
