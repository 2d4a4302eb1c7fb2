import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

export const uploadRefusals = {
  FILE_MISSING: badRequest("Missing 'file': send one file as multipart/form-data"),
  TOO_MANY_FILES: badRequest('Only one file can be uploaded at a time'),
  FILE_TOO_LARGE: badRequest('The file is larger than the limit of {limit} MiB'),
  INVALID_ATTACHMENT: badRequest('Invalid attachment'),
  FILE_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'This file does not exist or has been deleted' },
  FILE_DAMAGED: {
    status: 500,
    code: 'FILE_DAMAGED',
    message: 'The server no longer has this file as it was uploaded, and does not serve another',
  },
  PICTURE_UNREADABLE: {
    status: 415,
    code: 'PICTURE_UNREADABLE',
    message: 'The file is no picture that the server can make smaller: GIF, JPEG, PNG or WebP',
  },
  PICTURE_TOO_LARGE: {
    status: 422,
    code: 'PICTURE_TOO_LARGE',
    message: 'Making the picture smaller takes too much memory or time',
  },
  UPLOADED_PICTURE_UNREADABLE: badRequest('Invalid image format'),
  UPLOADED_PICTURE_EXCESSIVE: badRequest('Image size exceeds limit.'),
  SHOWN_PICTURE_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'There is no such picture' },
  TEMPORARY_URL_INVALID: { status: 404, code: 'NOT_FOUND', message: 'This link is not valid, or has expired' },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof uploadRefusals> {}
}
