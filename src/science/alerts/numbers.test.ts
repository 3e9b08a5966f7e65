import { expect, it } from 'vitest';
import { crossing, numberIn, numbersIn } from './numbers.ts';

it.each([
  ['1,234.50 €', [1234.5]],
  ['1.234,50 €', [1234.5]],
  ['12 000 people', [12000]],
  ['3,5 %', [3.5]],
  ['0.125', [0.125]],
  ['-2 °C to +4', [-2, 4]],
  ['12.03.2026, 10:30', []],
  ['1.234.567', [1234567]],
  ['COVID-19', []],
  ['7 of 9', [7, 9]],
  ['none', []],
])('%j => %j', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

it('a label => the first number after it', () => {
  expect(numberIn('Gas 3.10 Oil price: 98.40', 'oil  PRICE')).toBe(98.4);
  expect(numberIn('Gas 3.10', 'oil')).toBeUndefined();
});

it('touching a value is no crossing; leaving it is', () => {
  expect(crossing(99, 100, { above: 100 })).toBeUndefined();
  expect(crossing(100, 101, { above: 100 })).toBe('number 100 -> 101 rose above 100');
  expect(crossing(101, 99, { crosses: 100 })).toBe('number 101 -> 99 fell below 100');
  expect(crossing(undefined, 99, { crosses: 100 })).toBeUndefined();
});
