import type { DataOf, Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';
import { REFERENCE_FILES_ROUTE, REFERENCE_ROUTE } from './api-reference.routes.js';

const apiReferenceRefusals = {
  REFERENCE_FILE_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'There is no such file' },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof apiReferenceRefusals> {}
}

/** A page to read the API's description, and to try its operations. */
export const apiReferenceFeature = {
  name: 'api-reference',
  refusals: apiReferenceRefusals,
  outside: [REFERENCE_ROUTE, REFERENCE_FILES_ROUTE],
  api: [() => import('./http/api-reference.controller.js')],
} as const satisfies Feature;
