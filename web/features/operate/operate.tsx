import { useEffect } from 'preact/hooks';
import { Office, Problem } from '../../platform/office.js';
import { Details } from './details.js';
import { eventRates, health, problem, samples, watchHealth } from './health.js';
import { LineChart } from './line-chart.js';
import { Projections } from './projections.js';
import './operate.css';

const ROOM = 60;

/** Shows operators how the server does, as it moves. */
export function Operate() {
  useEffect(watchHealth, []);
  const now = health.value;
  return (
    <Office at="operate">
      <Problem>{problem}</Problem>
      <p role="status">
        {now &&
          problem.value === '' &&
          (now.ready ? 'The server can do its work' : 'The server CANNOT do its work now')}
      </p>
      {now && (
        <>
          <p>
            The log ends at <strong class="log-end">{now.logEnd}</strong>
          </p>
          <div class="charts">
            <LineChart
              title="Events of the log"
              unit="a second"
              values={eventRates(samples.value).slice(-ROOM)}
              room={ROOM}
            />
            <LineChart
              title="Answer to this page"
              unit="ms"
              values={samples.value.slice(-ROOM).map(({ tookMs }) => tookMs)}
              room={ROOM}
            />
          </div>
          <Projections all={now.projections} logEnd={now.logEnd} />
          <Details of={now} />
        </>
      )}
    </Office>
  );
}
