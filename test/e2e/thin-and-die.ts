/** `tsx thin-and-die.ts <archive> <n>`: thins an archive as far as it goes, and kills itself at the nth step. */
import { writeSync } from 'node:fs';
import { openForWriting } from '../../src/archive/open/open-archive.ts';
import { thinArchive } from '../../src/archive/thin/thin-archive.ts';
import { HOUR, START } from '../visited-archive.ts';

const [archive = '', step = '0'] = process.argv.slice(2);
const open = await openForWriting({ archive }, 'test');
let left = Number(step);
await thinArchive(open, {
  storage: 1,
  now: START + 100 * HOUR,
  onStep(name) {
    if (left-- > 0) return;
    writeSync(1, name);
    process.kill(process.pid, 'SIGKILL');
  },
});
await open.close();
writeSync(1, 'whole');
