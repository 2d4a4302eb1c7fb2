import type { Projection } from './health.js';

/** The read models, and how far each is behind the log. */
export const Projections = ({ all, logEnd }: { readonly all: readonly Projection[]; readonly logEnd: number }) => (
  <section aria-labelledby="projections">
    <h2 id="projections">Projections</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" class="number">
            Position
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.name}>
            <th scope="row">{one.name}</th>
            <td class="number">{one.position}</td>
            <td>
              <State of={one} logEnd={logEnd} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <p class="hint">
      <code>annals rebuild NAME</code> builds one anew while the server goes on serving. How far it is appears here.
    </p>
  </section>
);

function State({ of: { name, state, upToDate, position, progress, error }, logEnd }: StateOf) {
  const behind = Math.max(0, logEnd - position);
  return (
    <>
      {error && <p class="problem">{`${state}: ${error.message}`}</p>}
      {!error && (upToDate || behind === 0 ? 'up to date' : `${behind} behind the log`)}
      {progress && (
        <p class="build">
          <label for={`build-${name}`}>is built anew</label>
          <progress id={`build-${name}`} value={progress.done} max={Math.max(1, progress.total)} />
          <span>{`${progress.done} of ${progress.total} events, ${Math.round(progress.eventsPerSecond)} a second`}</span>
          {progress.secondsLeft !== null && <span>{` ${Math.ceil(progress.secondsLeft)} s are left`}</span>}
        </p>
      )}
    </>
  );
}

interface StateOf {
  readonly of: Projection;
  readonly logEnd: number;
}
