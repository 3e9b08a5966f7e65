import fc from 'fast-check';
import { parseXmlDocument } from 'slimdom';
import { expect, test } from 'vitest';
import { parseXml, type XmlElement, XmlError, xmlAttributes, xmlText } from './xml.ts';

/** Writes a tree on one line, without a prologue; an explicit stack, so any depth will do. */
function writeXml(root: XmlElement): string {
  const out: string[] = [];
  const stack: (XmlElement | string)[] = [root];
  // Strings on the stack are already written; elements are not.
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item === 'string') {
      out.push(item);
      continue;
    }
    const open = `<${item.name}${xmlAttributes(item.attributes)}`;
    if (item.children.length === 0) {
      out.push(`${open}/>`);
      continue;
    }
    out.push(`${open}>`);
    stack.push(`</${item.name}>`);
    for (let i = item.children.length - 1; i >= 0; i--) {
      const child = item.children[i] as XmlElement | string;
      stack.push(typeof child === 'string' ? xmlText(child) : child);
    }
  }
  return out.join('');
}

/** Any UTF-16 string, including lone surrogates, control characters and what our escapes are made of. */
const anyText = fc.oneof(
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((codes) => String.fromCharCode(...codes)),
  fc
    .array(
      fc.constantFrom('\\', 'u', '{', '1b', '}', '5c', '&', ';', '#', '<', ']]>', '"', '\r', '\n', '\t', ' '),
      {
        maxLength: 10,
      },
    )
    .map((parts) => parts.join('')),
);

const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9._-]{0,8}$/);
const tree = fc.letrec<{ element: XmlElement }>((tie) => ({
  element: fc.record({
    name,
    attributes: fc.dictionary(name, anyText, { maxKeys: 4 }),
    children: fc
      .array(fc.oneof({ maxDepth: 3 }, anyText, tie('element')), { maxLength: 4 })
      .map((children) => joinTexts(children as (XmlElement | string)[])),
  }),
})).element;

/** Adjacent texts are one text in XML, and empty ones none. */
function joinTexts(children: readonly (XmlElement | string)[]): (XmlElement | string)[] {
  const out: (XmlElement | string)[] = [];
  for (const child of children) {
    const last = out.at(-1);
    if (child === '') continue;
    if (typeof child === 'string' && typeof last === 'string') out[out.length - 1] = last + child;
    else out.push(child);
  }
  return out;
}

/** Attributes without a prototype compare like any others. */
const plain = (element: XmlElement): XmlElement => JSON.parse(JSON.stringify(element)) as XmlElement;

test('any tree, written and parsed => the same tree', () => {
  fc.assert(
    fc.property(tree, (element) => {
      expect(plain(parseXml(writeXml(element)))).toEqual(plain(element));
    }),
    { numRuns: 500 },
  );
});

test('what is written => well-formed for another parser, too', () => {
  fc.assert(
    fc.property(tree, (element) => {
      expect(parseXmlDocument(writeXml(element)).documentElement?.nodeName).toBe(element.name);
    }),
  );
});

test('text that XML can hold => read alike by another parser', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const written = writeXml({ name: 't', attributes: { a: text }, children: text === '' ? [] : [text] });
      const root = parseXmlDocument(written).documentElement;
      expect([root?.getAttribute('a'), root?.textContent]).toEqual([text, text]);
    }),
  );
});

test('a control character => \\u{1b}, and the same six characters from a page => \\u{5c}u{1b}', () => {
  expect(writeXml({ name: 't', attributes: {}, children: ['\u001b \\u{1b}'] })).toBe(
    '<t>\\u{1b} \\u{5c}u{1b}</t>',
  );
});

test('5,000 elements inside each other => written and parsed', () => {
  let element: XmlElement = { name: 'x', attributes: {}, children: ['in'] };
  for (let i = 1; i < 5000; i++) element = { name: 'x', attributes: {}, children: [element] };
  let parsed: XmlElement | string | undefined = parseXml(writeXml(element));
  let depth = 0;
  for (; typeof parsed === 'object'; parsed = parsed.children[0]) depth++;
  expect([depth, parsed]).toEqual([5000, 'in']);
});

test('prologue, comment, CDATA, references, line ends => as XML says', () => {
  const parsed = parseXml(
    '<?xml version="1.0"?>\r\n<!-- c --><t a=\'x\r\ny\' b="&#x41;&#66;">1\r\n2<![CDATA[<&]]>&lt;</t>\n',
  );
  expect(plain(parsed)).toEqual({ name: 't', attributes: { a: 'x y', b: 'AB' }, children: ['1\n2<&<'] });
});

test.each([
  ['', 1, 1, 'no element'],
  ['<a>\n  <b></a>', 2, 6, "'</a>' closes '<b>'"],
  ['<a/><b/>', 1, 5, 'second root'],
  ['<a x="1" x="2"/>', 1, 9, "'x' twice"],
  ['<a x=1/>', 1, 4, 'no attribute'],
  ['<a>&nbsp;</a>', 1, 4, '&nbsp;'],
  ['<a>&#0;</a>', 1, 4, '&#0;'],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 1, 1, 'DOCTYPE'],
  ['<a><!-- ', 1, 8, 'comment'],
  ['<a><b>', 1, 4, 'never closed'],
  ['hello', 1, 1, 'outside the root'],
  ['<a>1 < 2</a>', 1, 6, 'without a name'],
])('%j => refused at line %i, column %i', (source, line, column, problem) => {
  let error: unknown;
  try {
    parseXml(source);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(XmlError);
  expect(error).toMatchObject({ line, column, message: expect.stringContaining(problem) });
});

test("an attribute named '__proto__' => an attribute, nothing else", () => {
  expect(Object.entries(parseXml('<a __proto__="x"/>').attributes)).toEqual([['__proto__', 'x']]);
});
