import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { signIn } from '../../platform/session.js';

export function SignIn() {
  const problem = useSignal('');
  const isBusy = useSignal(false);

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    // A second press of the key would be a second attempt.
    if (isBusy.value) return;
    const fields = new FormData(event.currentTarget);
    isBusy.value = true;
    problem.value = '';
    await signIn(String(fields.get('username')), String(fields.get('password'))).catch((error: Error) => {
      problem.value = error.message;
    });
    isBusy.value = false;
  }

  return (
    <section aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in</h2>
      <form onSubmit={submit}>
        <label for="username">Your mail address</label>
        <input id="username" name="username" type="email" autocomplete="username" required />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        {/* It is there from the beginning, so that a screen reader tells what comes into it. */}
        <p class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" aria-disabled={isBusy}>
          Sign in
        </button>
      </form>
      <p class="hint">
        <a href="/accounts/password/reset/">Choose a new password</a>
      </p>
    </section>
  );
}
