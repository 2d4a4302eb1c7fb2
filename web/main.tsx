import { render } from 'preact';
import { SignIn } from './features/sign-in/sign-in.js';
import { SignedIn } from './features/sign-in/signed-in.js';
import { Welcome } from './features/welcome/welcome.js';
import { route } from './platform/router.js';
import { me, recallSession } from './platform/session.js';
import './page.css';

/** The one place that puts features together: they do not import each other. */
function Page() {
  if (route.value.length > 0) return <NoSuchPlace />;
  return <Welcome>{me.value ? <SignedIn me={me.value} /> : <SignIn />}</Welcome>;
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
void recallSession();
