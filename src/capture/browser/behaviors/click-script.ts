/**
 * Clicks links of the page's own origin, for what their scripts load. Webrecorder's autoclick does the same but waits a quarter of a
 * second per link: most links have no script, a click on them would only navigate away, and there is nothing to wait for. Here a click
 * that no script prevents is prevented last of all, so that the page need not be kept from leaving each time; what listeners began
 * meanwhile continues. Only clicks that a script took over are waited for. The body of an async function that is given `signal`.
 */
export const CLICK_LINKS = `
  const PAUSE = 250;
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const seen = new WeakSet();
  const known = new Set();
  const keyOf = (link) => link.href + ' ' + link.textContent.slice(0, 100);
  const home = location.href;
  let end = '';
  // The last to hear of a click, unless a script keeps it to itself.
  const last = (event) => {
    end = event.defaultPrevented ? 'taken' : 'plain';
    if (end === 'plain') event.preventDefault();
  };
  const stay = (event) => event.preventDefault();
  addEventListener('click', last);
  addEventListener('beforeunload', stay);
  const isWanted = (link) =>
    !seen.has(link) && !link.target && (!link.href || link.href.startsWith(location.origin)) && link.isConnected && link.checkVisibility();
  const links = () => [...document.querySelectorAll('a')].filter(isWanted);
  const backHome = () => new Promise((done) => {
    // A script may have replaced the entry, so that there is nothing to go back to.
    const timer = setTimeout(done, 1000);
    addEventListener('popstate', () => { clearTimeout(timer); done(); }, { once: true });
    history.back();
  });
  try {
    // A view that is drawn anew has new elements for the same links: those are clicked once.
    for (let round = links(), isFirst = true; round.length > 0 && !signal.aborted; round = links(), isFirst = false) {
      let clicks = 0;
      for (const link of round) {
        if (signal.aborted) break;
        if (!isWanted(link)) { seen.add(link); continue; }
        seen.add(link);
        const key = keyOf(link);
        if (!isFirst && known.has(key)) continue;
        known.add(key);
        end = 'kept';
        link.click();
        if (end !== 'plain') await pause(PAUSE);
        // Others have their turn: answers, timers, drawing.
        else if (++clicks % 10 === 0) await pause(0);
        if (location.href !== home) await backHome();
      }
      // What clicks put there may be links itself.
      await pause(PAUSE);
    }
  } finally {
    removeEventListener('click', last);
    removeEventListener('beforeunload', stay);
  }
`;
