import { useDeed } from '../../platform/deed.js';
import { Problem } from '../../platform/office.js';
import { ROLES } from '../../platform/roles.js';
import { me } from '../../platform/session.js';
import { lookAgain, type Projection } from './health.js';
import { beginRebuild, ended } from './rebuilds.js';

/** The read models, and how far each is behind the log. */
export function Projections({ all, logEnd }: Of) {
  const { problem, isBusy, run } = useDeed();
  const mayRebuild = me.value?.role === ROLES.owner;
  return (
    <section aria-labelledby="projections">
      <h2 id="projections">Projections</h2>
      <Problem>{problem}</Problem>
      <p role="status">{ended}</p>
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
                {mayRebuild && (
                  <button
                    type="button"
                    class="rebuild"
                    aria-label={`Rebuild ${one.name}`}
                    aria-disabled={isBusy.value || isBeingBuilt(one)}
                    onClick={() => isBeingBuilt(one) || run(() => rebuild(one.name))}
                  >
                    Rebuild
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {mayRebuild ? (
          'A rebuild'
        ) : (
          <>
            <code>annals rebuild</code>, or an owner here,
          </>
        )}{' '}
        builds documents anew from the log, while the server goes on serving those of before. How far it is appears
        here.
      </p>
    </section>
  );
}

async function rebuild(name: string): Promise<void> {
  await beginRebuild(name);
  lookAgain();
}

interface Of {
  readonly all: readonly Projection[];
  readonly logEnd: number;
}

const isBeingBuilt = ({ state, progress }: Projection): boolean => state === 'rebuilding' || progress !== null;

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
