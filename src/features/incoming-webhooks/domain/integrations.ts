import type { Integration } from './integration.js';
import { alertmanager, grafana } from './services/alerts.js';
import { generic } from './services/generic.js';
import { github } from './services/github.js';
import { gitlab } from './services/gitlab.js';
import { slack } from './services/slack.js';

/** THE list of services. */
export const integrations: readonly Integration[] = [slack, generic, github, gitlab, alertmanager, grafana];
