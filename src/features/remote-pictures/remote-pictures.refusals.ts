import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

export const remotePictureRefusals = {
  PICTURE_ELSEWHERE: {
    status: 403,
    code: 'PICTURE_ELSEWHERE',
    message: 'The picture was not uploaded to this server, which fetches none from elsewhere',
  },
  REMOTE_PICTURE_URL_INVALID: badRequest('The picture has no http:// or https:// URL that the server can use'),
  REMOTE_PICTURE_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'The other site has no such picture' },
  REMOTE_PICTURE_TOO_LARGE: {
    status: 413,
    code: 'PICTURE_TOO_LARGE',
    message: 'The picture on the other site is larger than the limit of {limit} MiB',
  },
  REMOTE_PICTURE_UNREADABLE: {
    status: 415,
    code: 'PICTURE_UNREADABLE',
    message: 'The other site did not send a picture that can be shown: GIF, JPEG, PNG or WebP',
  },
  REMOTE_PICTURE_EXCESSIVE: {
    status: 422,
    code: 'PICTURE_TOO_LARGE',
    message: 'Making the picture smaller takes too much memory or time',
  },
  REMOTE_PICTURE_UNREACHABLE: {
    status: 502,
    code: 'PICTURE_UNREACHABLE',
    message: 'The server cannot reach the other site, or is not allowed to',
  },
  REMOTE_PICTURE_REFUSED: {
    status: 502,
    code: 'PICTURE_REFUSED',
    message: 'The other site does not give the picture to the server: it answers with the status {status}',
  },
  REMOTE_PICTURE_LATE: {
    status: 504,
    code: 'PICTURE_LATE',
    message: 'The other site did not send the picture in time',
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof remotePictureRefusals> {}
}
