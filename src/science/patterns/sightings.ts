/**
 * Whether a page changed between two sightings, and how much.
 *
 * Two sightings that both went through a browser are compared by their looks: bytes differ at every visit where a page carries
 * tokens or advertisements. Otherwise their payloads decide, and a change weighs 1 unless a delta says otherwise, since nobody
 * knows what it was. Where changes weigh by salience, those whose delta predates salience weigh by their importance, the
 * nearest known measure.
 */
import type { PageSighting } from '../../model/pattern.ts';
import type { Weighing } from '../../model/version.ts';
import type { Gap } from './observations.ts';

export type Sight = Pick<PageSighting, 'at' | 'sha256' | 'look' | 'importance' | 'salience'>;

export function gapBetween(before: Sight, now: Sight, weigh: Weighing = 'importance'): Gap {
  const looked = now.look !== undefined && before.look !== undefined;
  const changed = looked ? now.look !== before.look : now.sha256 !== before.sha256;
  const salience = weigh === 'salience' ? now.salience : undefined;
  return {
    from: before.at / 1000,
    to: now.at / 1000,
    changed,
    importance: changed ? (salience ?? now.importance ?? 1) : 0,
  };
}
