/** The organization's number in URLs. There is one organization. */
export const REALM_ID = '1';

const FILE_ID = '[A-Za-z0-9_-]{24}';
/** Finds paths of uploaded files in a text. */
const IN_TEXT = new RegExp(`user_uploads/(?:download/)?${REALM_ID}/(?:[0-9a-f]{2}/)?(${FILE_ID})/`, 'g');
export const isFileId = (text: string): boolean => new RegExp(`^${FILE_ID}$`).test(text);

interface FileNames {
  /** Absent for files of earlier versions. */
  readonly folder?: string | undefined;
  readonly fileId: string;
  readonly pathName: string;
}

/** Gives the `path_id` of a file: its URL is `/user_uploads/<path_id>`. */
export const pathIdOf = ({ folder, fileId, pathName }: FileNames): string =>
  [REALM_ID, ...(folder === undefined ? [] : [folder]), fileId, pathName].join('/');

/** Lists the ids of all files that a text links to. The list may have more: the text is not parsed. */
export const filesNamedIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(IN_TEXT)].flatMap(([, fileId]) => fileId ?? [])),
];
