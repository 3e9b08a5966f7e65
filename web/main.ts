import { mount } from 'svelte';
import App from './App.svelte';
import LogIn from './parts/LogIn.svelte';
import { readSession } from './session.ts';
import { chooseLanguage } from './text/language.ts';

async function start(target: HTMLElement): Promise<void> {
  const [session] = await Promise.all([readSession(), chooseLanguage()]);
  if (session?.role === null) {
    const { canLogIn, takesToken } = session;
    mount(LogIn, { target, props: { canLogIn, takesToken } });
  } else mount(App, { target });
}

const target = document.getElementById('app');
if (target) void start(target);
