/** The organization's number in URLs: there is one of them. */
export const REALM_ID = '1';

const FILE_ID = '[A-Za-z0-9_-]{24}';
/** Wherever text may name a file of ours. */
const IN_TEXT = new RegExp(`user_uploads/(?:download/)?${REALM_ID}/(${FILE_ID})/`, 'g');
export const isFileId = (text: string): boolean => new RegExp(`^${FILE_ID}$`).test(text);

/** What clients know a file by: its URL is `/user_uploads/` and this. */
export const pathIdOf = (file: { readonly fileId: string; readonly pathName: string }): string =>
  `${REALM_ID}/${file.fileId}/${file.pathName}`;

/** Own names of files that a text may link to: more than it does, and never fewer. */
export const filesNamedIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(IN_TEXT)].flatMap(([, fileId]) => fileId ?? [])),
];

/** Whether a text may do so at all. */
export const linksToFiles = (text: string): boolean => text.includes('user_uploads/');
