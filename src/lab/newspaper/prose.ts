/** Sentences from the word lists: plain enough to read, distinct enough to tell apart. */
import { WEEKDAYS } from './days.ts';
import type { Random } from './random.ts';
import { personName, type SectionId } from './sections.ts';
import { VOCABULARY } from './vocabulary.ts';
import { GENERAL_SENTENCES, HEADLINE_TAILS, PLACES, ROLES } from './words.ts';

/** What an article is about; the same however often the article is rewritten. */
export interface Story {
  readonly section: SectionId;
  readonly actor: string;
  readonly object: string;
}

export function newStory(section: SectionId, random: Random): Story {
  const words = VOCABULARY[section];
  return { section, actor: random.pick(words.actors), object: random.pick(words.objects) };
}

/** 'delay' → 'delays' for one actor; names in -s count as plural. */
function inflect(verb: string, actor: string): string {
  if (actor.endsWith('s')) return verb;
  const [first = '', ...rest] = verb.split(' ');
  const third = /(s|sh|ch|x)$/.test(first) ? `${first}es` : `${first}s`;
  return [third, ...rest].join(' ');
}

export function headline(story: Story, random: Random, tailChance: number): string {
  const verb = inflect(random.pick(VOCABULARY[story.section].verbs), story.actor);
  const tail = random.chance(tailChance) ? ` ${random.pick(HEADLINE_TAILS)}` : '';
  return `${story.actor} ${verb} ${story.object}${tail}`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export function fill(template: string, random: Random, story?: Story): string {
  const text = template.replace(/\{(\w+)\}/g, (_, slot: string) => {
    switch (slot) {
      case 'place':
        return random.pick(PLACES);
      case 'person':
        return personName(random);
      case 'role':
        return random.pick(ROLES);
      case 'day':
        return random.pick(WEEKDAYS);
      case 'n':
        return String(2 + random.int(38));
      case 'object':
        return story?.object ?? 'matter';
      case 'actor':
        return story?.section === 'sport' ? story.actor : lowerFirst(story?.actor ?? 'city');
      default:
        throw new RangeError(`the template '${template}' has an unknown slot '${slot}'`);
    }
  });
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const STANDFIRSTS = [
  'A decision on the {object} is due on {day}; in {place} patience is running short.',
  'What is at stake for {place} in the {object}, and why {n} weeks may not be enough.',
  '{person}, {role}, calls it “the {object} nobody asked for and everybody needs”.',
  'After {n} months of waiting, {place} is divided over the {object} once more.',
  'The {object} began as a footnote. Now {place} talks of little else.',
] as const;

export const standfirst = (story: Story, random: Random): string =>
  fill(random.pick(STANDFIRSTS), random, story);

const write = (templates: readonly string[], random: Random, story: Story): string =>
  templates.map((template) => fill(template, random, story)).join(' ');

/** Two to four sentences, no template twice. */
export function paragraph(story: Story, random: Random): string {
  const own = random.sample(VOCABULARY[story.section].sentences, 1 + random.int(2));
  return write([...own, ...random.sample(GENERAL_SENTENCES, 1 + random.int(2))], random, story);
}

/** A whole text; no template repeats until all have been used. */
export function paragraphs(story: Story, count: number, random: Random): string[] {
  const own = random.sample(VOCABULARY[story.section].sentences, Infinity);
  const general = random.sample(GENERAL_SENTENCES, Infinity);
  return Array.from({ length: count }, () => {
    const templates = [...own.splice(0, 1), ...general.splice(0, 1 + random.int(2))];
    return templates.length > 0 ? write(templates, random, story) : paragraph(story, random);
  });
}
