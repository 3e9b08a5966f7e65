import type { TopicWords } from './definition.ts';

/**
 * What the words of a page say: whether it sells something, and whether it is about a topic. Strengths in [0, 1).
 *
 * A shop is recognised by prices and by the words of a purchase, in the languages most of the web is written in. Neither alone is
 * enough: newspapers write about prices, libraries have a "cart". So the strength is that of the weaker of the two, except that
 * prices alone (a price list) count by half.
 */
const PRICE =
  /(?:[€$£¥]\s?\d{1,6}(?:[.,]\d{1,3})*|\d{1,6}(?:[.,]\d{1,3})*\s?(?:[€$£¥]|(?:eur|usd|chf|gbp|zł|kč|kr)(?![\p{L}])))/giu;

/** About carts, checkouts, delivery and stock; matched as whole words after `folded`. */
const PURCHASE = new RegExp(
  `(?<![\\p{L}])(?:${[
    'add to (?:cart|basket|bag)|checkout|buy now|in stock|out of stock|free shipping|shopping (?:cart|bag)|order now',
    'ajouter au panier|mon panier|acheter|en stock|livraison gratuite|frais de port|commander',
    'in den warenkorb|warenkorb|kaufen|auf lager|versandkosten|lieferzeit|zur kasse',
    'anadir al carrito|comprar|envio gratis|carrito|adicionar ao carrinho|carrinho|frete gratis|em estoque',
    'aggiungi al carrello|carrello|acquista|spedizione gratuita|disponibile subito',
    'in winkelwagen|winkelwagen|winkelmandje|bestellen|gratis verzending|op voorraad',
    'dodaj do koszyka|koszyk|kup teraz|do koszyka|kosik|kosar|kurv|varukorg|handlekurv|ostoskori',
    'в корзину|купить|доставка|カートに入れる|加入购物车|장바구니',
  ].join('|')})(?![\\p{L}])`,
  'gu',
);

/** Number found on a page at which the strength is ½. */
const ENOUGH = 3;

export function commercialStrength(text: string): number {
  // Most pages have no price, and then nothing else counts: words are searched for only if there is one.
  if (!/\d/.test(text)) return 0;
  const prices = saturating(count(text, PRICE), ENOUGH);
  if (prices === 0) return 0;
  const purchase = saturating(new Set(folded(text).match(PURCHASE)).size, ENOUGH);
  return Math.max(Math.min(prices, purchase), prices / 2);
}

/** Each further word of the topic halves the doubt. */
export function topicStrength(text: string, { words }: TopicWords): number {
  const plain = ` ${folded(text).replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const found = words.filter((word) =>
    plain.includes(
      ` ${folded(word)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
    ),
  ).length;
  return 1 - 0.5 ** found;
}

/** Lower case without accents: `À l'Élysée` → `a l'elysee`. */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** 0 → 0, `half` → ½, many → 1. */
const saturating = (value: number, half: number): number => value / (value + half);
