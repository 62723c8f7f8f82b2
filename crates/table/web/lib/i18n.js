// @ts-check
/** Languages: one flat list of texts each, numbers and plurals by Intl. */

/** @typedef {'en' | 'zh-CN'} Lang */
/** @type {Lang[]} */
export const LANGS = ['en', 'zh-CN'];

/** @type {Record<string, string>} */
let texts = {};
/** @type {Lang} */
let current = 'en';
let plural = new Intl.PluralRules('en');
/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** The language in use. @returns {Lang} */
export const lang = () => current;

/**
 * Loads a language and makes it the page's.
 * @param {Lang} wanted
 */
export async function loadLang(wanted) {
  const answer = await fetch(`i18n/${wanted}.json`);
  if (!answer.ok) throw new Error(`i18n/${wanted}.json: ${answer.status}`);
  texts = await answer.json();
  current = wanted;
  plural = new Intl.PluralRules(wanted);
  formats.clear();
  document.documentElement.lang = wanted;
}

/** Whether there is a text of this key. @param {string} key */
export const has = (key) => key in texts || `${key}#other` in texts;

/**
 * The text of a key with its arguments filled in; with `n` the plural form is chosen.
 * @param {string} key
 * @param {Record<string, string | number>} [args]
 * @returns {string}
 */
export function t(key, args) {
  let text = texts[key];
  if (args && 'n' in args) {
    const form = texts[`${key}#${plural.select(Number(args.n))}`] ?? texts[`${key}#other`];
    text = form ?? text;
  }
  if (text === undefined) return key;
  return args ? text.replace(/\{(\w+)\}/g, (whole, name) => (name in args ? String(args[name]) : whole)) : text;
}

/**
 * A number with a fixed count of decimals and a true minus sign.
 * @param {number} x
 * @param {number} [digits]
 */
export function num(x, digits = 0) {
  const key = `n${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(current, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  const rounded = Number(x.toFixed(digits));
  return format.format(rounded === 0 ? 0 : rounded).replace('-', '−');
}

/** A number with its sign, `+1.6` or `−0.6`. @param {number} x @param {number} [digits] */
export const signed = (x, digits = 1) => (Number(x.toFixed(digits)) > 0 ? '+' : '') + num(x, digits);

/** A share of one as per cent. @param {number} x @param {number} [digits] */
export const pct = (x, digits = 0) => t('fmt.pct', { x: num(100 * x, digits) });

/** Quarters as people write them: `3¾`. @param {number} x */
export function quarters(x) {
  const all = Math.round(Math.abs(x) * 4);
  const part = ['', '¼', '½', '¾'][all % 4];
  const whole = Math.floor(all / 4);
  return (x < 0 ? '−' : '') + (whole === 0 && part ? part : `${whole}${part}`);
}

/** Seconds as a clock shows them: `9:05`, below ten seconds with a tenth. @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 10000) return (Math.floor(left / 100) / 10).toFixed(1);
  const s = Math.ceil(left / 1000);
  const two = (/** @type {number} */ x) => String(x).padStart(2, '0');
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** How long ago, in words. @param {number} then milliseconds since 1970 */
export function ago(then) {
  const s = (then - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(current, { numeric: 'auto' });
  for (const [unit, length] of /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([['day', 86400], ['hour', 3600], ['minute', 60]])) {
    if (Math.abs(s) >= length) return format.format(Math.round(s / length), unit);
  }
  return t('time.now');
}
