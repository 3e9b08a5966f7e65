import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOAK = fileURLToPath(new URL('../soak/soak.ts', import.meta.url));
const MINUTES = 30;
const KILLS = 200;

it(`${MINUTES} minutes of crawls, kills, imports, exports and rebuilds => at least ${KILLS} kills, nothing lost, no promise broken`, {
  timeout: 2 * MINUTES * 60_000,
}, async () => {
  const soak = spawn(process.execPath, ['--import', 'tsx', SOAK, '--minutes', String(MINUTES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  soak.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => {
    soak.once('close', resolve);
  });
  console.log(said);
  expect(code).toBe(0);
  expect(Number(/^kills\s+(\d+)/m.exec(said)?.[1])).toBeGreaterThanOrEqual(KILLS);
});
