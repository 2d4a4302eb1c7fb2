import { useRef } from 'preact/hooks';
import { useKeptFocus } from '../../platform/kept-focus.js';
import { Reminders } from './reminders.js';
import { ScheduledMessages } from './scheduled-messages.js';
import './later.css';

/** What the server does later for whoever is signed in. */
export function Later() {
  const place = useRef<HTMLDivElement>(null);
  useKeptFocus(place);
  return (
    <div class="messages later" ref={place}>
      <ScheduledMessages />
      <Reminders />
    </div>
  );
}
