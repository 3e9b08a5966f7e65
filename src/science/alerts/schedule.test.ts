import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertRule } from '../../model/alert.ts';
import { messageTime, schedule } from './schedule.ts';

type Timing = Pick<AlertRule, 'digest' | 'atMost' | 'quiet' | 'zone'>;
const at = (text: string): number => Date.parse(`2026-03-${text}:00Z`);
const told = (rule: Timing, ...times: string[]) =>
  schedule(rule, times.map(at), (time) => time).map(
    (message) => `${new Date(message.at).toISOString().slice(8, 16)} ${message.alerts.length}`,
  );
const NONE: Timing = { digest: 'none', zone: 'UTC' };
const NIGHT = { from: 22 * 60, to: 7 * 60, zone: 'Europe/Paris' };

describe('messages', () => {
  it('no digest => one for each alert, at once', () => {
    expect(told(NONE, '02T10:00', '02T10:00', '02T10:05')).toEqual([
      '02T10:00 1',
      '02T10:00 1',
      '02T10:05 1',
    ]);
  });

  it('hourly => at the full hour, with all of the hour; daily => at 8 in the zone', () => {
    const hourly: Timing = { digest: 'hourly', zone: 'UTC' };
    expect(told(hourly, '02T10:00', '02T10:59', '02T11:01')).toEqual(['02T11:00 2', '02T12:00 1']);
    const daily: Timing = { digest: 'daily', zone: 'Europe/Paris' };
    expect(told(daily, '02T06:59', '02T07:01', '03T06:00')).toEqual(['02T07:00 1', '03T07:00 2']);
  });

  it('1 per 2h => the second waits, and carries what came meanwhile', () => {
    const rule: Timing = { ...NONE, atMost: { messages: 1, span: 7_200_000 } };
    expect(told(rule, '02T10:00', '02T10:30', '02T11:30', '02T15:00')).toEqual([
      '02T10:00 1',
      '02T12:00 2',
      '02T15:00 1',
    ]);
  });

  it('quiet 22:00-07:00 in Paris => what came at night goes out at 7 there, as one; in summer, an hour earlier by UTC', () => {
    const rule: Timing = { ...NONE, quiet: NIGHT };
    expect(told(rule, '02T20:59', '02T21:30', '03T02:00', '03T06:00')).toEqual(['02T20:59 1', '03T06:00 3']);
    expect(told(rule, '31T01:00')).toEqual(['31T05:00 1']);
    expect(told({ ...NONE, quiet: { from: 60, to: 120, zone: 'UTC' } }, '02T01:30', '02T02:00')).toEqual([
      '02T02:00 2',
    ]);
  });

  it('any rule, any alerts => each in one message, never early, never in quiet hours, never too often', () => {
    const timing = fc.record({
      digest: fc.constantFrom('none', 'hourly', 'daily'),
      zone: fc.constantFrom('UTC', 'Europe/Paris', 'America/New_York'),
      atMost: fc.option(
        fc.record({
          messages: fc.integer({ min: 1, max: 3 }),
          span: fc.integer({ min: 1, max: 10 }).map((h) => h * 3_600_000),
        }),
        { nil: undefined },
      ),
      quiet: fc.option(fc.constant(NIGHT), { nil: undefined }),
    });
    const times = fc.array(fc.integer({ min: at('20T00:00'), max: at('31T00:00') }), { maxLength: 60 });
    fc.assert(
      fc.property(timing, times, (given, unsorted) => {
        const rule = given as Timing;
        const alerts = unsorted.toSorted((a, b) => a - b);
        const messages = schedule(rule, alerts, (time) => time);
        expect(messages.flatMap((message) => message.alerts)).toEqual(alerts);
        for (const message of messages) {
          for (const alert of message.alerts) expect(message.at).toBeGreaterThanOrEqual(alert);
          if (rule.quiet)
            expect(messageTime({ ...NONE, quiet: rule.quiet }, message.at, [])).toBe(message.at);
        }
        const { atMost } = rule;
        if (atMost)
          for (let i = atMost.messages; i < messages.length; i++)
            expect(messages[i]?.at).toBeGreaterThanOrEqual(
              (messages[i - atMost.messages]?.at ?? 0) + atMost.span,
            );
      }),
    );
  });
});
