import { mount, unmount } from 'svelte';
import { readSession } from '../session.ts';
import LogInAgain from './LogInAgain.svelte';

/** Asks who reads, over the page: a form may not stand inside another, so it hangs at the end of the document. */
export async function logInAgain(): Promise<void> {
  const session = await readSession();
  // Somebody has logged in meanwhile, in another tab.
  if (session?.role !== null) return;
  const { canLogIn, takesToken } = session;
  await new Promise<void>((resolve) => {
    const dialog = mount(LogInAgain, {
      target: document.body,
      props: { canLogIn, takesToken, onclose: () => void unmount(dialog).then(resolve) },
    });
  });
}
