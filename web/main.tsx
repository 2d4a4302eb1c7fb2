import { render } from 'preact';
import { Reading } from './features/reading/reading.js';
import { SignIn } from './features/sign-in/sign-in.js';
import { SignedIn } from './features/sign-in/signed-in.js';
import { Welcome } from './features/welcome/welcome.js';
import { Compose } from './features/writing/compose.js';
import { openOutbox } from './features/writing/outbox.js';
import { connect } from './platform/connection.js';
import { placeOf } from './platform/places.js';
import { route } from './platform/router.js';
import { me, recallSession } from './platform/session.js';
import './page.css';

/** The one place that puts features together: they do not import each other. */
function Page() {
  const place = placeOf(route.value);
  if (!place) return <NoSuchPlace />;
  if (!me.value)
    return (
      <Welcome>
        <SignIn />
      </Welcome>
    );
  return (
    <Reading place={place} isAtHome={route.value.length === 0} account={<SignedIn me={me.value} />}>
      <Compose place={place} />
    </Reading>
  );
}

const NoSuchPlace = () => (
  <main>
    <h1>There is no such place here</h1>
    <p>
      <a href="#/">To the beginning</a>
    </p>
  </main>
);

const root = document.getElementById('page');
if (root) render(<Page />, root);
openOutbox();
connect();
void recallSession();
