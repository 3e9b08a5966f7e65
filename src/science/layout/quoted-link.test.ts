import { expect, test } from 'vitest';
import { quotedLink } from './quoted-link.ts';

const PAGE = 'https://news.example/news/';

test.each([
  [
    'kicker, title, teaser, counter and department in one link',
    'Elektroautos beim TÜV Tesla Model S schneidet am schlechtesten ab Erstmals sind ausreichend viele Elektroautos beim TÜV vorgefahren, um ihre Sicherheit zu bewerten. 17:30 Uhr 383 Kommentare Security',
    'Elektroautos-beim-TUeV-Tesla-Model-S-schneidet-am-schlechtesten-ab-6341793.html',
    'Elektroautos beim TÜV Tesla Model S schneidet am schlechtesten ab',
    'Erstmals sind ausreichend viele Elektroautos beim TÜV vorgefahren, um ihre Sicherheit zu bewerten.',
  ],
  [
    'an address that lacks the kicker and spells umlauts otherwise',
    'Unruhe im Haus Für Müller wird es eng nach der Prüfung Am Montag tagt der Rat, und viele rechnen damit, dass er sein Amt verliert oder von selbst geht.',
    'fur-muller-wird-es-eng-nach-der-prufung',
    'Unruhe im Haus: Für Müller wird es eng nach der Prüfung',
    'Am Montag tagt der Rat, und viele rechnen damit, dass er sein Amt verliert oder von selbst geht.',
  ],
  [
    'an address that tells nothing => the first sentence',
    'Drivers go on strike today. They ask for shorter hours and for pay that follows prices, and they have all of the winter to wait for both.',
    'story?id=17',
    'Drivers go on strike today.',
    'They ask for shorter hours and for pay that follows prices, and they have all of the winter to wait for both.',
  ],
  [
    'a short one with a counter',
    'Drivers go on strike today 67 comments',
    'a',
    'Drivers go on strike today',
    '',
  ],
  [
    'a short one with a number at its end',
    'All about the new phone 13',
    'a',
    'All about the new phone 13',
    '',
  ],
  [
    'a kicker before the title of which the address is written',
    'Neuer Fahrplan Züge nach Norden fahren ab Mai seltener',
    'politik/zuege-nach-norden-fahren-ab-mai-seltener-3327706',
    'Neuer Fahrplan: Züge nach Norden fahren ab Mai seltener',
    '',
  ],
  [
    'a kicker that has its own sign',
    'Fahrplan: Züge nach Norden fahren ab Mai seltener',
    'zuge-nach-norden-fahren-ab-mai-seltener',
    'Fahrplan: Züge nach Norden fahren ab Mai seltener',
    '',
  ],
  [
    'an address that sums a sentence up => no kicker',
    'Gestern hat Meier Huber getroffen',
    'meier-huber-treffen',
    'Gestern hat Meier Huber getroffen',
    '',
  ],
])('%s', (_, name, path, headline, teaser) => {
  expect(quotedLink(name, PAGE + path)).toEqual({ headline, teaser });
});

test('no sentence and no address that tells => as much as a headline may have, and the rest below it', () => {
  const { headline, teaser } = quotedLink('many words without an end '.repeat(8), `${PAGE}17`);
  expect(headline).toMatch(/^many words.* …$/);
  expect(headline.length).toBeLessThanOrEqual(122);
  expect(`${headline.replace(/ …$/, '')} ${teaser}`).toBe('many words without an end '.repeat(8).trim());
});
