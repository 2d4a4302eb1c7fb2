import type { Integration, ServiceMessage } from '../integration.js';
import type { Payload } from '../payload.js';
import { link, plain } from '../safe-markdown.js';

const MOST_ALERTS = 20;
const MOST_OF_DESCRIPTION = 500;

/** Links of an alert, by the field that has the address. */
type Links = Readonly<Record<string, string>>;

/** A group of alerts that Alertmanager's webhook sends, in its version 4. */
export const alertmanager: Integration = {
  name: 'alertmanager',
  service: 'Alertmanager',
  read: (payload) => groupOf(payload, { generatorURL: 'graph' }),
};

/** Grafana's groups have more links. */
export const grafana: Integration = {
  name: 'grafana',
  service: 'Grafana',
  read: (payload) =>
    groupOf(payload, { generatorURL: 'rule', dashboardURL: 'dashboard', panelURL: 'panel', silenceURL: 'silence' }),
};

/** All that is said of alerts of a name is in one topic. */
function groupOf(payload: Payload, links: Links): ServiceMessage {
  const alerts = payload.list('alerts');
  const shown = alerts.slice(0, MOST_ALERTS).map((alert) => alertOf(alert, links));
  const cut = payload.find('truncatedAlerts');
  const more = alerts.length - shown.length + (typeof cut === 'number' ? cut : 0);
  const name = payload.maybe('commonLabels.alertname') || payload.maybe('groupLabels.alertname');
  return {
    topic: name || payload.maybe('receiver') || 'alerts',
    content: [...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
  };
}

function alertOf(alert: Payload, links: Links): string {
  const sign = alert.text('status') === 'resolved' ? ':check_mark: **Resolved**' : ':warning: **Firing**';
  const [name, summary] = [alert.maybe('labels.alertname'), alert.maybe('annotations.summary')];
  const description = alert.maybe('annotations.description') || alert.maybe('annotations.message');
  const said = [summary || name, description].filter((text, at) => text !== '' && (at === 0 || text !== summary));
  const labels = alert.texts('labels').filter(([label]) => label !== 'alertname');
  const where = Object.entries({ ...links }).flatMap(([field, words]) => {
    const address = alert.maybe(field);
    return address === '' ? [] : [link(words, address)];
  });
  const runbook = alert.maybe('annotations.runbook_url');
  if (runbook !== '') where.push(link('runbook', runbook));
  return [
    `- ${sign}: ${said.map((text) => plain(text, MOST_OF_DESCRIPTION)).join(': ')}`,
    ...(labels.length > 0 ? [labels.map(([label, value]) => plain(`${label}=${value}`)).join(', ')] : []),
    ...(where.length > 0 ? [where.join(', ')] : []),
  ].join('\n  ');
}
