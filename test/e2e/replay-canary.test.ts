import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { FIREFOX, hasFirefox } from './canary/firefox.ts';
import { CANARY_ADDRESS } from './canary/hostile-page.ts';
import type { CanaryReport } from './canary/inside.ts';
import { temporaryFolder } from './daguerre.ts';
import { builtWeb } from './replay-browser.ts';

/**
 * What leaves a replayed page: nothing. A hostile page is opened in a network namespace of the test's own, in which a
 * canary is the only resolver and the only host there is; without replay the same page is heard in dozens of ways.
 */

const INSIDE = fileURLToPath(new URL('./canary/inside.ts', import.meta.url));
const SETUP = [
  'ip link set lo up',
  // Firefox gathers no addresses for WebRTC where there is loopback alone.
  'ip link add canary type veth peer name wire',
  `ip addr add ${CANARY_ADDRESS}/24 dev canary`,
  'ip link set canary up && ip link set wire up && ip route add default dev canary',
  'mount --bind "$RESOLV" /etc/resolv.conf',
  'exec "$@"',
].join(' && ');

const inNamespace = (command: readonly string[], resolv: string) =>
  spawnSync('unshare', ['-rnm', 'sh', '-c', SETUP, 'sh', ...command], {
    encoding: 'utf8',
    env: { ...process.env, RESOLV: resolv },
    maxBuffer: 64 * 1024 * 1024,
  });

let webRoot: string;
let resolv: string;
let allowed = false;

beforeAll(async () => {
  resolv = path.join(await temporaryFolder(), 'resolv.conf');
  writeFileSync(resolv, `nameserver ${CANARY_ADDRESS}\noptions timeout:1 attempts:1\n`);
  allowed = inNamespace(['true'], resolv).status === 0;
  if (allowed) webRoot = await builtWeb();
});

function reported(browser: 'chromium' | 'firefox'): CanaryReport {
  const command = [process.execPath, '--experimental-websocket', '--import', 'tsx', INSIDE, webRoot, browser];
  const { stdout, stderr, status } = inNamespace(command, resolv);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (status !== 0 || !line.startsWith('{')) throw new Error(`no report (${status}): ${stdout}\n${stderr}`);
  return JSON.parse(line) as CanaryReport;
}

describe.each(['chromium', 'firefox'] as const)('hostile pages in %s', (browser) => {
  it('without replay => heard in many ways; replayed, with and without scripts => not one packet', {
    timeout: 600_000,
  }, ({ skip }) => {
    skip(!allowed, 'this machine allows no network namespace (unshare -rnm)');
    skip(browser === 'firefox' && !hasFirefox(), `no Firefox at ${FIREFOX}`);
    const report = reported(browser);
    // The same page must be able to fail the test.
    expect(report.titles.control).toBe('all tried');
    expect(report.control.filter((one) => one.startsWith('dns ')).length).toBeGreaterThan(50);
    expect(report.control).toContain('udp 3478');
    // Headless Chromium follows no hints even then.
    if (browser === 'firefox') expect(report.control).toContain('dns preconnect.static.canary.test');
    // It ran to its end in replay, and was heard nowhere.
    expect(report.titles.scripts).toContain('all tried');
    expect(report.scripts).toEqual([]);
    expect(report.titles.still).toContain('hostile');
    expect(report.still).toEqual([]);
    // Each page that leads itself away was seen to begin, and is heard without replay.
    const { hosts, ...runs } = report.leading;
    expect(hosts.filter((host) => !runs.control.heard.includes(`dns ${host}`))).toEqual([]);
    expect(Object.values(runs).map(({ silent }) => silent)).toEqual([[], [], []]);
    expect([runs.scripts.heard, runs.still.heard]).toEqual([[], []]);
  });
});
