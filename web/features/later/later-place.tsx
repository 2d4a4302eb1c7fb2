import { Reminders } from './reminders.js';
import { ScheduledMessages } from './scheduled-messages.js';
import './later.css';

/** What the server does later for whoever is signed in. */
export const Later = () => (
  <div class="messages later">
    <ScheduledMessages />
    <Reminders />
  </div>
);
