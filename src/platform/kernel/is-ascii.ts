/** Whether a text has nothing but ASCII: it needs no normalization, and its letters have simple cases. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
export const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);
