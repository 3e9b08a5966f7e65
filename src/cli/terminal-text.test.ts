import { expect, test } from 'vitest';
import { harmless } from './terminal-text.ts';

test('escape sequences, C1 controls, DEL, turned direction in a page’s words => marks; line ends and tabs stay', () => {
  expect(harmless('a\u001b[2J\u009b1;1Hb\u007f\u202etxt\u2066\n\tc')).toBe(
    'a\ufffd[2J\ufffd1;1Hb\ufffd\ufffdtxt\ufffd\n\tc',
  );
  expect(harmless('Größe 10 €, 日本語')).toBe('Größe 10 €, 日本語');
});
