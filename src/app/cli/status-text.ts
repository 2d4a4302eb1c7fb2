import type { ProjectionStatus } from '../../../projections/runner/live-projections.js';
import type { Percentiles } from '../../platform/meter/last-minute.js';
import type { BackupReport } from '../backup/backup.documents.js';
import type { EngineHealth, HealthReport } from '../health/health.js';
import { duration } from './build-report.js';
import type { ServerStatus } from './control-protocol.js';
import { number } from './text.js';

/** What `annals status` knows. On shared engines nobody is asked: `url` and `pid` are null. */
export type StatusReport = HealthReport & (ServerStatus | { readonly url: null; readonly pid: null });

/** Makes a report as of now. */
export type Read = () => Promise<StatusReport>;

/** Writes a report for people: a line for each part, and a line for each projection that is not as it should be. */
export function statusText(report: StatusReport): string {
  const { url, pid, ready, engines, logEnd, projections, checkpoints, verification, backup, passedOver, damagedFiles } =
    report;
  const where = url === null ? 'The organization on these engines' : `Annals at ${url} (process ${pid})`;
  const upToDate = projections.filter((status) => status.upToDate).length;
  const lines: [string, string][] = [
    ['Log', `${number(logEnd)} events, ${answered(engines.log)}`],
    ['Documents', answered(engines.documents)],
    ...figuresOf(report.process),
    ['Projections', `${upToDate} of ${projections.length} up to date`],
    ...projections.filter(isListed).map((status): [string, string] => [`  ${status.name}`, stateOf(status, logEnd)]),
    ['Signed', checkpoints?.size == null ? 'not known, or not signed' : `${number(checkpoints.size)} events`],
    ...(checkpoints?.alarms ?? []).map((alarm): [string, string] => ['  alarm', alarm]),
    ...(checkpoints?.witnesses ?? []).map(({ name, size, problem }): [string, string] => [
      `  ${name}`,
      problem ?? `has cosigned ${number(size)} events`,
    ]),
    ['Verified', verification ? `${verification.result}, begun ${verification.startedAt}` : 'not yet, or not known'],
    [
      'Backup',
      backup
        ? `ended ${backup.endedAt}, through event ${number(backup.through)}${faultsOf(backup)}`
        : 'none that is known',
    ],
    ['Passed over', passedOver ? `${number(passedOver.count)} events` : 'not known'],
    ...(passedOver?.newest ?? []).map(({ follower, type, stream, revision, error }): [string, string] => [
      `  ${follower}`,
      `${type} at ${stream}@${revision}: ${error}`,
    ]),
    ['Damaged', `${number(damagedFiles.length)} files`],
    ...damagedFiles.map(({ fault, type, stream, revision }): [string, string] => [
      `  ${fault}`,
      `${type} at ${stream}@${revision}`,
    ]),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  const padded = lines.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`);
  return `${where}: ${ready ? 'ready' : 'NOT READY'}\n${padded.join('')}`;
}

/** Queues and requests are told of a process that answers clients. */
function figuresOf(figures: StatusReport['process']): [string, string][] {
  if (!figures) return [];
  const { messagesSent, requests, requestMs, eventQueues, residentBytes, heapBytes, eventLoopDelayMs } = figures;
  return [
    ['Messages', `${number(messagesSent)} sent since the start`],
    ...(requests === null ? [] : [line('Requests', `${number(requests)} since the start${within(requestMs)}`)]),
    ...(eventQueues === null ? [] : [line('Queues', number(eventQueues))]),
    ['Memory', `${megabytes(residentBytes)}, the heap ${megabytes(heapBytes)}`],
    ['Event loop', eventLoopDelayMs ? `late by ${spread(eventLoopDelayMs)}` : 'not known'],
  ];
}

const line = (name: string, text: string): [string, string] => [name, text];

const within = (times: Percentiles | null): string => (times ? `, answered in ${spread(times)}` : '');

const spread = ({ p50, p99 }: Percentiles): string => `${p50} ms (99 %: ${p99} ms)`;

const megabytes = (bytes: number): string => `${number(Math.round(bytes / 2 ** 20))} MiB`;

const isListed = ({ upToDate, error, progress }: ProjectionStatus): boolean =>
  !upToDate || error !== null || progress !== null;

function stateOf({ state, position, error, progress }: ProjectionStatus, logEnd: number): string {
  const behind = logEnd > position ? `${number(logEnd - position)} events behind` : 'at the end of the log';
  const built =
    progress && progress.total > 0 ? Math.min(99, Math.floor((100 * progress.done) / progress.total)) : null;
  const left = progress?.secondsLeft == null ? '' : `, ${duration(progress.secondsLeft)} left`;
  return [
    `${state}, ${behind}`,
    ...(built === null ? [] : [`being built: ${built} %${left}`]),
    ...(error ? [error.message] : []),
  ].join('; ');
}

const faultsOf = ({ faults }: BackupReport): string => (faults === 0 ? '' : `, ${number(faults)} files NOT RIGHT`);

function answered({ reachable, answeredMsAgo }: EngineHealth): string {
  const ago = answeredMsAgo === null ? 'never answered' : `answered ${number(answeredMsAgo)} ms ago`;
  return reachable ? ago : `NOT REACHABLE, ${ago}`;
}
