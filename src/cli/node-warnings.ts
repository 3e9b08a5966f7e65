import { say } from './status-line.ts';

/**
 * Node's own warnings are for developers of Daguerre, not for users, and Node writes them into the middle of the
 * progress line. `NODE_OPTIONS=--trace-warnings` shows them as Node does; without it only those about neither
 * experiments nor deprecations are shown, each once, on a line of its own.
 */
export function quietWarnings(): void {
  if (
    /--trace-(?:warnings|deprecation)/.test(`${process.env.NODE_OPTIONS ?? ''} ${process.execArgv.join(' ')}`)
  )
    return;
  const told = new Set<string>();
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => {
    if (name === 'ExperimentalWarning' || name === 'DeprecationWarning' || told.has(message)) return;
    told.add(message);
    say(process.stderr, `daguerre: ${name}: ${message}`);
  });
}
