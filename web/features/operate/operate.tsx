import { useEffect } from 'preact/hooks';
import { Office, Problem } from '../../platform/office.js';
import { Charts } from './charts.js';
import { Details } from './details.js';
import { health, problem, watchHealth } from './health.js';
import { Projections } from './projections.js';
import './operate.css';

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
          <Charts />
          <Projections all={now.projections} logEnd={now.logEnd} />
          <Details of={now} />
        </>
      )}
    </Office>
  );
}
