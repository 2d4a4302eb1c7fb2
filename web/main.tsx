import { render } from 'preact';
import { Audit } from './features/audit/audit.js';
import { Channels } from './features/channels/channels.js';
import { Groups } from './features/groups/groups.js';
import { History } from './features/history/history.js';
import { followLater } from './features/later/later.js';
import { Later } from './features/later/later-place.js';
import { Operate } from './features/operate/operate.js';
import { Organization } from './features/organization/organization.js';
import { People } from './features/people/people-office.js';
import { Why } from './features/permissions/why.js';
import { followPresence } from './features/presence/own-presence.js';
import { Reading } from './features/reading/reading.js';
import { Settings } from './features/settings/settings.js';
import { SignIn } from './features/sign-in/sign-in.js';
import { SignedIn } from './features/sign-in/signed-in.js';
import { Welcome } from './features/welcome/welcome.js';
import { Compose } from './features/writing/compose.js';
import { followDrafts } from './features/writing/drafts.js';
import { Drafts } from './features/writing/drafts-place.js';
import { openOutbox } from './features/writing/outbox.js';
import { followTyping } from './features/writing/typing.js';
import { followAppearance } from './platform/appearance.js';
import { connect } from './platform/connection.js';
import { followEmoji } from './platform/emoji.js';
import { type Place, placeOf } from './platform/places.js';
import { route } from './platform/router.js';
import { followOtherTabs, me, recallSession } from './platform/session.js';
import { useTitle } from './platform/title.js';
import './page.css';

/** Places with a frame of their own. */
const OFFICES = new Map([
  ['audit', Audit],
  ['channels', Channels],
  ['groups', Groups],
  ['history', History],
  ['operate', Operate],
  ['organization', Organization],
  ['people', People],
  ['settings', Settings],
  ['why', Why],
]);

/** The one place that puts features together: they do not import each other. */
function Page() {
  const OwnPlace = OFFICES.get(route.value.join('/'));
  if (OwnPlace) return me.value ? <OwnPlace /> : <SignedOut />;
  const place = placeOf(route.value);
  if (!place) return <NoSuchPlace />;
  if (!me.value) return <SignedOut />;
  return (
    <Reading place={place} isAtHome={route.value.length === 0} account={<SignedIn me={me.value} />}>
      <Words place={place} />
    </Reading>
  );
}

/** What is below the messages of a place, or in their stead. */
function Words({ place }: { readonly place: Place }) {
  if (place.kind === 'drafts') return <Drafts />;
  return place.kind === 'scheduled' ? <Later /> : <Compose place={place} />;
}

const SignedOut = () => (
  <Welcome>
    <SignIn />
  </Welcome>
);

function NoSuchPlace() {
  const name = 'There is no such place here';
  useTitle(name);
  return (
    <main>
      <h1>{name}</h1>
      <p>
        <a href="#/">To the beginning</a>
      </p>
    </main>
  );
}

const root = document.getElementById('page');
if (root) render(<Page />, root);
followAppearance();
openOutbox();
followTyping();
followLater();
followDrafts();
followPresence();
followEmoji();
connect();
followOtherTabs();
void recallSession();
