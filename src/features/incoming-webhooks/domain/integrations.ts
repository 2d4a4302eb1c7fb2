import type { Integration } from './integration.js';
import { alertmanager, grafana } from './integrations/alerts.js';
import { generic } from './integrations/generic.js';
import { github } from './integrations/github.js';
import { gitlab } from './integrations/gitlab.js';
import { slack } from './integrations/slack.js';

/** THE list of services. */
export const integrations: readonly Integration[] = [slack, generic, github, gitlab, alertmanager, grafana];
