/** @param time ISO 8601 @returns in UTC, to the second */
export const timeOf = (time: string): string => time.replace('T', ' ').replace(/(\.\d+)?Z$/, '');
