import { useEffect } from 'preact/hooks';
import { Office, Problem } from '../../platform/office.js';
import { ActivityChart } from './activity-chart.js';
import { asked, ignored, parametersOf } from './asked.js';
import { EventRow } from './event-row.js';
import { Export } from './export.js';
import { events, find, findMore, isLoading, next, problem } from './found.js';
import { KeyForm } from './proof/key-form.js';
import { QuestionForm } from './question-form.js';
import './audit.css';

/** Who changed what, when and from where, for whoever may audit. The address of the page is the question. */
export function Audit() {
  const parameters = parametersOf(asked.value);
  useEffect(() => void find(parameters), [asked.value]);
  return (
    <Office at="audit">
      <div class="audit">
        {/* With another question it is another form: its fields begin with what is asked. */}
        <QuestionForm key={JSON.stringify(asked.value)} asked={asked.value} />
        <KeyForm />
        <Problem>{problem}</Problem>
        {ignored.value.length > 0 && <p>{toldOf(ignored.value)}</p>}
        <ActivityChart />
        <Export parameters={parameters} />
        <div class="wide">
          <table>
            <caption>Events, the newest first. Times are in UTC.</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">What</th>
                <th scope="col">Who</th>
                <th scope="col">Where</th>
              </tr>
            </thead>
            <tbody>
              {events.value.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </tbody>
          </table>
        </div>
        <p role="status">{statusNow()}</p>
        {next.value !== null && (
          <button type="button" aria-disabled={isLoading} onClick={() => isLoading.value || findMore(parameters)}>
            Older events
          </button>
        )}
      </div>
    </Office>
  );
}

function statusNow(): string {
  if (isLoading.value) return 'Asking…';
  if (problem.value !== '') return '';
  if (events.value.length === 0)
    return next.value === null ? 'There are no such events.' : 'None among the newest events.';
  return next.value === null ? 'These are all.' : '';
}

const toldOf = (names: readonly string[]): string =>
  `The address also has ${names.join(', ')}, which ${names.length === 1 ? 'asks' : 'ask'} nothing here.`;
