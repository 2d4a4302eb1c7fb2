import type { Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AcknowledgedDocumentsGuard } from '../directory/http/acknowledged-documents.guard.js';
import { AdmissionGuard } from '../directory/http/admission.guard.js';
import { AuthenticationGuard } from '../directory/http/authentication.guard.js';
import { CurrentFactsGuard } from '../directory/http/current-facts.guard.js';
import { FreshDirectoryGuard } from '../directory/http/fresh-directory.guard.js';
import { KeyUseGuard } from '../directory/http/key-use.guard.js';
import { ReadTurnGuard } from '../directory/http/read-turn.guard.js';
import { ReadableParametersGuard } from '../platform/http/readable-parameters.guard.js';
import { SameSiteGuard } from '../platform/http/same-site.guard.js';

/** The guards of every request, in their order. */
export const guards: readonly Provider[] = [
  SameSiteGuard,
  FreshDirectoryGuard,
  AuthenticationGuard,
  KeyUseGuard,
  ReadableParametersGuard,
  AdmissionGuard,
  ReadTurnGuard,
  CurrentFactsGuard,
  AcknowledgedDocumentsGuard,
].map((useClass) => ({ provide: APP_GUARD, useClass }));
