import type { Integration } from './integration.js';
import { generic } from './services/generic.js';
import { slack } from './services/slack.js';

/** THE list of services. */
export const integrations: readonly Integration[] = [slack, generic];
