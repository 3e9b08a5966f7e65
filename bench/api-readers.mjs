// Many readers on a thread of their own: each asks for a list, reads it whole, and pauses for a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { paths, readers, seconds } = workerData;
const until = performance.now() + seconds * 1000;
const times = [];
let errors = 0;

async function read(first) {
  await sleep((first / readers) * 1000);
  for (let turn = first; performance.now() < until; turn++) {
    const from = performance.now();
    try {
      const answer = await fetch(paths[turn % paths.length]);
      await answer.arrayBuffer();
      if (!answer.ok) errors++;
    } catch {
      errors++;
    }
    times.push(performance.now() - from);
    await sleep(1000);
  }
}

await Promise.all(Array.from({ length: readers }, (_, first) => read(first)));
parentPort.postMessage({ times, errors });
